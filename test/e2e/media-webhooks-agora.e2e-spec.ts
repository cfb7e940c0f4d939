import { CallDeadlines } from '../../src/calls/services/call-deadlines.job';
import { AGORA_SECRET } from '../support/media-notices';
import { aCallInChannel, DESTROYED, JOIN, LEAVE } from '../support/media-calls';
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

    it.each([103, 105, 107])('joining (%i) counts as a joined report', async (eventType) => {
      const { scene, tell, callee } = await aCallInChannel(test, 'accepted');
      await tell(eventType, { uid: callee, clientSeq: 1 });
      expect(await scene.record()).toMatchObject({
        status: 'ongoing',
        version: 3,
        started_at: '2026-01-31T08:00:00.000Z',
      });
      const { items } = (await scene.caller.get('/api/events/poll?after=0')).body.data;
      expect(items.map(({ type }: { type: string }) => type)).toEqual(['call.accepted', 'call.ongoing']);
    });

    it('joining while it rings starts the clock, as a report does', async () => {
      const { scene, tell, caller } = await aCallInChannel(test, 'ringing');
      await tell(JOIN, { uid: caller, clientSeq: 1 });
      expect(await scene.record()).toMatchObject({ status: 'ringing', version: 2, started_at: START });
    });

    it.each([
      [104, 1],
      [106, 3],
      [108, 12],
    ])('leaving (%i) for good (%i) ends an answered call', async (eventType, reason) => {
      const { scene, tell, caller } = await aCallInChannel(test, 'ongoing');
      test.clock.advance(7);
      await tell(eventType, { uid: caller, reason, clientSeq: 5 });
      expect(await scene.record()).toMatchObject({
        status: 'ended',
        end_reason: 'connection_lost',
        ended_by: null,
        ended_at: '2026-01-31T08:00:07.000Z',
        duration: 7,
        missed: false,
      });
      expect(await test.query(`SELECT * FROM call_seats WHERE call_id = ${scene.id}`)).toEqual([]);
      const { items } = (await scene.callee.get('/api/events/poll?after=0')).body.data;
      expect(items.at(-1)).toMatchObject({ type: 'call.ended', call: { end_reason: 'connection_lost' } });
    });

    it('a channel that is destroyed ends an answered call', async () => {
      const { scene, tell, callee } = await aCallInChannel(test, 'accepted');
      await tell(JOIN, { uid: callee, clientSeq: 1, ts: 100 });
      await tell(DESTROYED, { ts: 100 });
      expect(await scene.record()).toMatchObject({ status: 'ended', end_reason: 'connection_lost' });
    });

    it('a channel destroyed before somebody joined it anew ends nothing', async () => {
      const { scene, tell, callee } = await aCallInChannel(test, 'accepted');
      await tell(JOIN, { uid: callee, clientSeq: 1, ts: 101 });
      await tell(DESTROYED, { ts: 100 });
      expect(await scene.record()).toMatchObject({ status: 'ongoing' });
    });

    it('a channel destroyed in the second in which somebody joined it anew ends nothing', async () => {
      const { scene, tell, callee } = await aCallInChannel(test, 'accepted');
      await tell(JOIN, { uid: callee, clientSeq: 1, ts: 90 });
      await tell(LEAVE, { uid: callee, reason: 10, clientSeq: 2, ts: 100 });
      await tell(JOIN, { uid: callee, clientSeq: 3, ts: 100 });
      await tell(DESTROYED, { ts: 100 });
      expect(await scene.record()).toMatchObject({ status: 'ongoing' });
      await tell(DESTROYED, { ts: 101 });
      expect(await scene.record()).toMatchObject({ status: 'ended', end_reason: 'connection_lost' });
    });

    it.each([2, 4, 9, 10, 99])('a transient loss (%i) gets 30 s, then ends the call', async (reason) => {
      const { scene, tell, callee } = await aCallInChannel(test, 'ongoing');
      await tell(LEAVE, { uid: callee, reason, clientSeq: 5 });
      test.clock.advance(29.999);
      await sweep();
      expect(await scene.record()).toMatchObject({ status: 'ongoing', version: 3 });
      test.clock.advance(1.5);
      await Promise.all([sweep(), sweep(), sweep()]);
      expect(await scene.record()).toMatchObject({
        status: 'ended',
        end_reason: 'connection_lost',
        version: 4,
        ended_by: null,
        ended_at: '2026-01-31T08:00:30.000Z',
        duration: 30,
      });
    });

    it('who comes back in time keeps the call, up to its greatest length', async () => {
      const { scene, tell, callee } = await aCallInChannel(test, 'ongoing');
      await tell(LEAVE, { uid: callee, reason: 2, clientSeq: 5 });
      test.clock.advance(29);
      await tell(JOIN, { uid: callee, clientSeq: 6 });
      test.clock.advance(3_600);
      await sweep();
      expect(await scene.record()).toMatchObject({ status: 'ongoing', version: 3 });
      test.clock.advance(14_400);
      await sweep();
      expect(await scene.record()).toMatchObject({
        status: 'ended',
        end_reason: 'max_duration',
        ended_at: '2026-01-31T12:00:00.000Z',
      });
    });

    it('each of two who are lost has an own grace', async () => {
      const { scene, tell, caller, callee } = await aCallInChannel(test, 'ongoing');
      await tell(LEAVE, { uid: callee, reason: 2, clientSeq: 5 });
      test.clock.advance(10);
      await tell(LEAVE, { uid: caller, reason: 2, clientSeq: 5 });
      test.clock.advance(10);
      await tell(JOIN, { uid: callee, clientSeq: 6 });
      test.clock.advance(19);
      await sweep();
      expect((await scene.record()).status).toBe('ongoing');
      test.clock.advance(1);
      expect(await scene.record()).toMatchObject({
        end_reason: 'connection_lost',
        ended_at: '2026-01-31T08:00:40.000Z',
      });
    });

    it('being lost twice is no second grace', async () => {
      const { scene, tell, callee } = await aCallInChannel(test, 'ongoing');
      await tell(LEAVE, { uid: callee, reason: 2, clientSeq: 5 });
      test.clock.advance(20);
      await tell(LEAVE, { uid: callee, reason: 10, clientSeq: 6 });
      test.clock.advance(10);
      expect(await scene.record()).toMatchObject({ ended_at: '2026-01-31T08:00:30.000Z' });
    });

    it.each([0, 5, 999, undefined])('leaving for reason %s means nothing', async (reason) => {
      const { scene, tell, callee } = await aCallInChannel(test, 'ongoing');
      await tell(LEAVE, { uid: callee, reason, clientSeq: 5 });
      test.clock.advance(60);
      expect((await scene.record()).status).toBe('ongoing');
    });

    it('while it rings, only the caller’s leaving for good matters: it cancels the call, which is missed', async () => {
      const { scene, tell, caller, callee } = await aCallInChannel(test, 'ringing');
      await tell(LEAVE, { uid: callee, reason: 1, clientSeq: 5 });
      await tell(LEAVE, { uid: caller, reason: 2, clientSeq: 5 });
      test.clock.advance(31);
      await sweep();
      expect(await scene.record()).toMatchObject({ status: 'ringing', version: 1 });
      await tell(LEAVE, { uid: caller, reason: 1, clientSeq: 6 });
      expect(await scene.record()).toMatchObject({
        status: 'cancelled',
        end_reason: 'connection_lost',
        ended_by: null,
        version: 2,
      });
      const { items } = (await scene.callee.get('/api/events/poll?after=0')).body.data;
      expect(items.map(({ type }: { type: string }) => type)).toEqual([
        'call.ringing',
        'call.cancelled',
        'call.missed',
        'notification.created',
      ]);
    });

    it('a caller who was lost while it rang has 30 s from the answer', async () => {
      const { scene, tell, caller } = await aCallInChannel(test, 'ringing');
      await tell(LEAVE, { uid: caller, reason: 2, clientSeq: 5 });
      test.clock.advance(31);
      await scene.act(scene.callee, 'accept');
      test.clock.advance(30);
      await sweep();
      expect(await scene.record()).toMatchObject({
        end_reason: 'connection_lost',
        ended_at: '2026-01-31T08:01:01.000Z',
      });
    });

    it('a finished call takes no notice', async () => {
      const { scene, tell, caller, callee } = await aCallInChannel(test, 'rejected');
      await tell(JOIN, { uid: caller, clientSeq: 1 });
      await tell(LEAVE, { uid: callee, reason: 1, clientSeq: 1 });
      await tell(DESTROYED);
      expect(await scene.record()).toMatchObject({ status: 'rejected', version: 2, started_at: null });
    });
  });
});
