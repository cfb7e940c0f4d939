import { CallDeadlines } from '../../src/calls/services/call-deadlines.job';
import { AGORA_SECRET, agoraBody, postAgora } from '../support/media-notices';
import { aCallInChannel, JOIN, LEAVE } from '../support/media-calls';
import { createTestApp, START, type TestApp } from '../support/test-app';

describe('Media webhooks', () => {
  let test: TestApp;

  const sweep = (): Promise<void> => test.app.get(CallDeadlines).sweep();

  describe('of Agora', () => {
    beforeAll(async () => {
      test = await createTestApp({ env: { AGORA_WEBHOOK_SECRET: AGORA_SECRET } });
    });
    afterAll(() => test?.close());
    beforeEach(() => test.clock.set(START));

    describe('in disorder', () => {
      it('a leave that comes after the join that followed it changes nothing', async () => {
        const { scene, tell, callee } = await aCallInChannel(test, 'accepted');
        await tell(JOIN, { uid: callee, clientSeq: 7 });
        await tell(LEAVE, { uid: callee, reason: 1, clientSeq: 6 });
        await tell(LEAVE, { uid: callee, reason: 2, clientSeq: 7 });
        test.clock.advance(60);
        await sweep();
        expect((await scene.record()).status).toBe('ongoing');
      });

      it('a join that comes after the loss that followed it brings nobody back', async () => {
        const { scene, tell, callee } = await aCallInChannel(test, 'ongoing');
        await tell(LEAVE, { uid: callee, reason: 2, clientSeq: 7 });
        await tell(JOIN, { uid: callee, clientSeq: 6 });
        test.clock.advance(30);
        expect((await scene.record()).end_reason).toBe('connection_lost');
      });

      it('64-bit numbers are told apart to the last digit', async () => {
        const { scene, tell, callee } = await aCallInChannel(test, 'ongoing');
        await tell(LEAVE, { uid: callee, reason: 2, clientSeq: '18446744073709551614' });
        await tell(JOIN, { uid: callee, clientSeq: '18446744073709551615' });
        test.clock.advance(60);
        expect((await scene.record()).status).toBe('ongoing');
      });

      it('each participant has an order of its own', async () => {
        const { scene, tell, caller, callee } = await aCallInChannel(test, 'accepted');
        await tell(JOIN, { uid: callee, clientSeq: 100 });
        await tell(LEAVE, { uid: caller, reason: 1, clientSeq: 1 });
        expect((await scene.record()).status).toBe('ended');
      });

      it('a leave told while it rings does not end the answered call when it is told again', async () => {
        const { scene, tell, callee } = await aCallInChannel(test, 'ringing');
        const leave = { uid: callee, reason: 1, clientSeq: 5, noticeId: 'again' };
        await tell(LEAVE, leave);
        await scene.act(scene.callee, 'accept');
        await tell(LEAVE, leave);
        await tell(LEAVE, { ...leave, noticeId: 'another id, the same event' });
        expect((await scene.record()).status).toBe('accepted');
      });

      it('a notice without an order counts once by its id', async () => {
        const { scene, tell, callee } = await aCallInChannel(test, 'ringing');
        await tell(LEAVE, { uid: callee, reason: 1, noticeId: 'once' });
        await scene.act(scene.callee, 'accept');
        await tell(LEAVE, { uid: callee, reason: 1, noticeId: 'once' });
        expect((await scene.record()).status).toBe('accepted');
      });
    });

    it('the same notice ten times at once takes effect once; 50 rounds', async () => {
      for (let round = 0; round < 50; round += 1) {
        const { scene, channel, callee } = await aCallInChannel(test, 'accepted');
        const body = agoraBody({ eventType: JOIN, channelName: channel, uid: callee, clientSeq: 1 });
        const answers = await Promise.all(Array.from({ length: 10 }, () => postAgora(test.api, body)));
        expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
        expect(await scene.record()).toMatchObject({ status: 'ongoing', version: 3 });
        await scene.act(scene.caller, 'hangup');
      }
    });

    it('coming back against the end of the grace: the call lives or is lost, never both; 50 rounds', async () => {
      for (let round = 0; round < 50; round += 1) {
        const { scene, tell, callee } = await aCallInChannel(test, 'ongoing');
        await tell(LEAVE, { uid: callee, reason: 2, clientSeq: 5 });
        test.clock.advance(29.999);
        const back = tell(JOIN, { uid: callee, clientSeq: 6 });
        test.clock.advance(0.001);
        await Promise.all([back, sweep(), sweep()]);
        test.clock.advance(60);
        const { status, version } = await scene.record();
        expect([
          ['ongoing', 3],
          ['ended', 4],
        ]).toContainEqual([status, version]);
        if (status === 'ongoing') await scene.act(scene.caller, 'hangup');
      }
    });
  });
});
