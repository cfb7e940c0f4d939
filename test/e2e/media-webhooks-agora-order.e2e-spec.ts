import { CallDeadlines } from '../../src/calls/services/call-deadlines.job';
import { AGORA_SECRET, agoraBody, postAgora } from '../support/media-webhooks';
import { createAgoraCall, JOIN, LEAVE } from '../support/media-calls';
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

    describe('out of order', () => {
      it('ignores a leave that arrives after a later join', async () => {
        const { scene: fixture, tell, callee } = await createAgoraCall(test, 'accepted');
        await tell(JOIN, { uid: callee, clientSeq: 7 });
        await tell(LEAVE, { uid: callee, reason: 1, clientSeq: 6 });
        await tell(LEAVE, { uid: callee, reason: 2, clientSeq: 7 });
        test.clock.advance(60);
        await sweep();
        expect((await fixture.record()).status).toBe('ongoing');
      });

      it('ignores a join that arrives after a later loss', async () => {
        const { scene: fixture, tell, callee } = await createAgoraCall(test, 'ongoing');
        await tell(LEAVE, { uid: callee, reason: 2, clientSeq: 7 });
        await tell(JOIN, { uid: callee, clientSeq: 6 });
        test.clock.advance(30);
        expect((await fixture.record()).end_reason).toBe('connection_lost');
      });

      it('distinguishes 64-bit numbers to the last digit', async () => {
        const { scene: fixture, tell, callee } = await createAgoraCall(test, 'ongoing');
        await tell(LEAVE, { uid: callee, reason: 2, clientSeq: '18446744073709551614' });
        await tell(JOIN, { uid: callee, clientSeq: '18446744073709551615' });
        test.clock.advance(60);
        expect((await fixture.record()).status).toBe('ongoing');
      });

      it('orders the notices of each participant separately', async () => {
        const { scene: fixture, tell, caller, callee } = await createAgoraCall(test, 'accepted');
        await tell(JOIN, { uid: callee, clientSeq: 100 });
        await tell(LEAVE, { uid: caller, reason: 1, clientSeq: 1 });
        expect((await fixture.record()).status).toBe('ended');
      });

      it('does not end the answered call when a leave received during ringing is repeated', async () => {
        const { scene: fixture, tell, callee } = await createAgoraCall(test, 'ringing');
        const leave = { uid: callee, reason: 1, clientSeq: 5, noticeId: 'again' };
        await tell(LEAVE, leave);
        await fixture.perform(fixture.callee, 'accept');
        await tell(LEAVE, leave);
        await tell(LEAVE, { ...leave, noticeId: 'another id, the same event' });
        expect((await fixture.record()).status).toBe('accepted');
      });

      it('counts a notice without an order once, by its id', async () => {
        const { scene: fixture, tell, callee } = await createAgoraCall(test, 'ringing');
        await tell(LEAVE, { uid: callee, reason: 1, noticeId: 'once' });
        await fixture.perform(fixture.callee, 'accept');
        await tell(LEAVE, { uid: callee, reason: 1, noticeId: 'once' });
        expect((await fixture.record()).status).toBe('accepted');
      });
    });

    it('apply the same notice sent ten times concurrently once; 50 rounds', async () => {
      for (let round = 0; round < 50; round += 1) {
        const { scene: fixture, channel, callee } = await createAgoraCall(test, 'accepted');
        const body = agoraBody({ eventType: JOIN, channelName: channel, uid: callee, clientSeq: 1 });
        const responses = await Promise.all(Array.from({ length: 10 }, () => postAgora(test.api, body)));
        expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
        expect(await fixture.record()).toMatchObject({ status: 'ongoing', version: 3 });
        await fixture.perform(fixture.caller, 'hangup');
      }
    });

    it('keep or end the call when a participant returns at the end of the grace period, never both; 50 rounds', async () => {
      for (let round = 0; round < 50; round += 1) {
        const { scene: fixture, tell, callee } = await createAgoraCall(test, 'ongoing');
        await tell(LEAVE, { uid: callee, reason: 2, clientSeq: 5 });
        test.clock.advance(29.999);
        const back = tell(JOIN, { uid: callee, clientSeq: 6 });
        test.clock.advance(0.001);
        await Promise.all([back, sweep(), sweep()]);
        test.clock.advance(60);
        const { status, version } = await fixture.record();
        expect([
          ['ongoing', 3],
          ['ended', 4],
        ]).toContainEqual([status, version]);
        if (status === 'ongoing') await fixture.perform(fixture.caller, 'hangup');
      }
    });
  });
});
