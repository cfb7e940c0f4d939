import { CallDeadlines } from '../../src/calls/services/call-deadlines.job';
import { AGORA_SECRET } from '../support/media-webhooks';
import { createAgoraCall, DESTROYED, JOIN, LEAVE } from '../support/media-calls';
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

    it.each([103, 105, 107])('treat joining (%i) as a joined report', async (eventType) => {
      const { scene: fixture, tell, callee } = await createAgoraCall(test, 'accepted');
      await tell(eventType, { uid: callee, clientSeq: 1 });
      expect(await fixture.record()).toMatchObject({
        status: 'ongoing',
        version: 3,
        started_at: '2026-01-31T08:00:00.000Z',
      });
      const { items } = (await fixture.caller.get('/api/events/poll?after=0')).body.data;
      expect(items.map(({ type }: { type: string }) => type)).toEqual(['call.accepted', 'call.ongoing']);
    });

    it('start the duration when a user joins during ringing, like a report', async () => {
      const { scene: fixture, tell, caller } = await createAgoraCall(test, 'ringing');
      await tell(JOIN, { uid: caller, clientSeq: 1 });
      expect(await fixture.record()).toMatchObject({ status: 'ringing', version: 2, started_at: START });
    });

    it.each([
      [104, 1],
      [106, 3],
      [108, 12],
    ])('end an answered call when a user leaves (%i) permanently (%i)', async (eventType, reason) => {
      const { scene: fixture, tell, caller } = await createAgoraCall(test, 'ongoing');
      test.clock.advance(7);
      await tell(eventType, { uid: caller, reason, clientSeq: 5 });
      expect(await fixture.record()).toMatchObject({
        status: 'ended',
        end_reason: 'connection_lost',
        ended_by: null,
        ended_at: '2026-01-31T08:00:07.000Z',
        duration: 7,
        missed: false,
      });
      expect(await test.query(`SELECT * FROM call_seats WHERE call_id = ${fixture.id}`)).toEqual([]);
      const { items } = (await fixture.callee.get('/api/events/poll?after=0')).body.data;
      expect(items.at(-1)).toMatchObject({ type: 'call.ended', call: { end_reason: 'connection_lost' } });
    });

    it('end an answered call when its channel is destroyed', async () => {
      const { scene: fixture, tell, callee } = await createAgoraCall(test, 'accepted');
      await tell(JOIN, { uid: callee, clientSeq: 1, ts: 100 });
      await tell(DESTROYED, { ts: 100 });
      expect(await fixture.record()).toMatchObject({ status: 'ended', end_reason: 'connection_lost' });
    });

    it('ignore the destruction of a channel before a later join', async () => {
      const { scene: fixture, tell, callee } = await createAgoraCall(test, 'accepted');
      await tell(JOIN, { uid: callee, clientSeq: 1, ts: 101 });
      await tell(DESTROYED, { ts: 100 });
      expect(await fixture.record()).toMatchObject({ status: 'ongoing' });
    });

    it('ignore the destruction of a channel in the same second as a later join', async () => {
      const { scene: fixture, tell, callee } = await createAgoraCall(test, 'accepted');
      await tell(JOIN, { uid: callee, clientSeq: 1, ts: 90 });
      await tell(LEAVE, { uid: callee, reason: 10, clientSeq: 2, ts: 100 });
      await tell(JOIN, { uid: callee, clientSeq: 3, ts: 100 });
      await tell(DESTROYED, { ts: 100 });
      expect(await fixture.record()).toMatchObject({ status: 'ongoing' });
      await tell(DESTROYED, { ts: 101 });
      expect(await fixture.record()).toMatchObject({ status: 'ended', end_reason: 'connection_lost' });
    });

    it.each([2, 4, 9, 10, 99])('give a transient loss (%i) 30 s, then end the call', async (reason) => {
      const { scene: fixture, tell, callee } = await createAgoraCall(test, 'ongoing');
      await tell(LEAVE, { uid: callee, reason, clientSeq: 5 });
      test.clock.advance(29.999);
      await sweep();
      expect(await fixture.record()).toMatchObject({ status: 'ongoing', version: 3 });
      test.clock.advance(1.5);
      await Promise.all([sweep(), sweep(), sweep()]);
      expect(await fixture.record()).toMatchObject({
        status: 'ended',
        end_reason: 'connection_lost',
        version: 4,
        ended_by: null,
        ended_at: '2026-01-31T08:00:30.000Z',
        duration: 30,
      });
    });

    it('keep the call of a user who returns in time, up to its maximum duration', async () => {
      const { scene: fixture, tell, callee } = await createAgoraCall(test, 'ongoing');
      await tell(LEAVE, { uid: callee, reason: 2, clientSeq: 5 });
      test.clock.advance(29);
      await tell(JOIN, { uid: callee, clientSeq: 6 });
      test.clock.advance(3_600);
      await sweep();
      expect(await fixture.record()).toMatchObject({ status: 'ongoing', version: 3 });
      test.clock.advance(14_400);
      await sweep();
      expect(await fixture.record()).toMatchObject({
        status: 'ended',
        end_reason: 'max_duration',
        ended_at: '2026-01-31T12:00:00.000Z',
      });
    });

    it('give each of two lost users a separate grace period', async () => {
      const { scene: fixture, tell, caller, callee } = await createAgoraCall(test, 'ongoing');
      await tell(LEAVE, { uid: callee, reason: 2, clientSeq: 5 });
      test.clock.advance(10);
      await tell(LEAVE, { uid: caller, reason: 2, clientSeq: 5 });
      test.clock.advance(10);
      await tell(JOIN, { uid: callee, clientSeq: 6 });
      test.clock.advance(19);
      await sweep();
      expect((await fixture.record()).status).toBe('ongoing');
      test.clock.advance(1);
      expect(await fixture.record()).toMatchObject({
        end_reason: 'connection_lost',
        ended_at: '2026-01-31T08:00:40.000Z',
      });
    });

    it('do not restart the grace period at a second loss', async () => {
      const { scene: fixture, tell, callee } = await createAgoraCall(test, 'ongoing');
      await tell(LEAVE, { uid: callee, reason: 2, clientSeq: 5 });
      test.clock.advance(20);
      await tell(LEAVE, { uid: callee, reason: 10, clientSeq: 6 });
      test.clock.advance(10);
      expect(await fixture.record()).toMatchObject({ ended_at: '2026-01-31T08:00:30.000Z' });
    });

    it.each([0, 5, 999, undefined])('ignore leaving for reason %s', async (reason) => {
      const { scene: fixture, tell, callee } = await createAgoraCall(test, 'ongoing');
      await tell(LEAVE, { uid: callee, reason, clientSeq: 5 });
      test.clock.advance(60);
      expect((await fixture.record()).status).toBe('ongoing');
    });

    it('cancel a ringing call when the caller leaves permanently, and ignore everything else', async () => {
      const { scene: fixture, tell, caller, callee } = await createAgoraCall(test, 'ringing');
      await tell(LEAVE, { uid: callee, reason: 1, clientSeq: 5 });
      await tell(LEAVE, { uid: caller, reason: 2, clientSeq: 5 });
      test.clock.advance(31);
      await sweep();
      expect(await fixture.record()).toMatchObject({ status: 'ringing', version: 1 });
      await tell(LEAVE, { uid: caller, reason: 1, clientSeq: 6 });
      expect(await fixture.record()).toMatchObject({
        status: 'cancelled',
        end_reason: 'connection_lost',
        ended_by: null,
        version: 2,
      });
      const { items } = (await fixture.callee.get('/api/events/poll?after=0')).body.data;
      expect(items.map(({ type }: { type: string }) => type)).toEqual([
        'call.ringing',
        'call.cancelled',
        'call.missed',
        'notification.created',
      ]);
    });

    it('give a caller lost during ringing 30 s from the answer', async () => {
      const { scene: fixture, tell, caller } = await createAgoraCall(test, 'ringing');
      await tell(LEAVE, { uid: caller, reason: 2, clientSeq: 5 });
      test.clock.advance(31);
      await fixture.perform(fixture.callee, 'accept');
      test.clock.advance(30);
      await sweep();
      expect(await fixture.record()).toMatchObject({
        end_reason: 'connection_lost',
        ended_at: '2026-01-31T08:01:01.000Z',
      });
    });

    it('ignore notices for a finished call', async () => {
      const { scene: fixture, tell, caller, callee } = await createAgoraCall(test, 'rejected');
      await tell(JOIN, { uid: caller, clientSeq: 1 });
      await tell(LEAVE, { uid: callee, reason: 1, clientSeq: 1 });
      await tell(DESTROYED);
      expect(await fixture.record()).toMatchObject({ status: 'rejected', version: 2, started_at: null });
    });
  });
});
