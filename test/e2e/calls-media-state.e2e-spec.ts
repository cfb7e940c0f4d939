import { createCall } from '../support/calls';
import { createTestApp, START, type TestApp } from '../support/test-app';

describe('Calls', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
  });
  beforeEach(() => test.clock.set(START));
  afterAll(() => test?.close());

  describe('POST /api/calls/{callId}/media-state', () => {
    it('starts the duration at the first joined while ringing, and keeps the status', async () => {
      const fixture = await createCall(test.api);
      test.clock.advance(3);
      const response = await fixture.perform(fixture.caller, 'media-state', {
        stage: 'joined',
        network_quality: 'good',
      });
      expect(response.body.data).toEqual({
        call_id: fixture.id,
        status: 'ringing',
        started_at: '2026-01-31T08:00:03.000Z',
        version: 2,
      });
    });

    it('changes an accepted call to ongoing at the first joined', async () => {
      const fixture = await createCall(test.api, 'accepted');
      test.clock.advance(4);
      const response = await fixture.perform(fixture.callee, 'media-state', {
        terminal_id: 'phone',
        stage: 'joined',
      });
      expect(response.body.data).toEqual({
        call_id: fixture.id,
        status: 'ongoing',
        started_at: '2026-01-31T08:00:04.000Z',
        version: 3,
      });
    });

    it('changes to ongoing without restarting the duration', async () => {
      const fixture = await createCall(test.api);
      await fixture.perform(fixture.caller, 'media-state', { stage: 'joined' });
      await fixture.perform(fixture.callee, 'accept');
      test.clock.advance(9);
      const response = await fixture.perform(fixture.callee, 'media-state', { stage: 'joined' });
      expect(response.body.data).toMatchObject({
        status: 'ongoing',
        started_at: '2026-01-31T08:00:00.000Z',
        version: 4,
      });
    });

    it('changes nothing at a second joined and at other stages', async () => {
      const fixture = await createCall(test.api, 'ongoing');
      test.clock.advance(9);
      for (const stage of ['joined', 'publishing', undefined]) {
        const response = await fixture.perform(fixture.caller, 'media-state', {
          stage,
          network_quality: 'poor',
        });
        expect(response.body.data).toMatchObject({
          status: 'ongoing',
          started_at: '2026-01-31T08:00:00.000Z',
          version: 3,
        });
      }
    });

    it('keeps fields that a later report omits', async () => {
      const fixture = await createCall(test.api, 'accepted');
      await fixture.perform(fixture.callee, 'media-state', { terminal_id: 'phone', stage: 'joined' });
      await fixture.perform(fixture.callee, 'media-state', { terminal_id: 'phone', network_quality: 'poor' });
      const rows = await test.query(
        `SELECT stage, network_quality FROM call_media_states WHERE call_id = ${fixture.id}`,
      );
      expect(rows).toEqual([{ stage: 'joined', network_quality: 'poor' }]);
    });

    it('stores the latest report of each user and terminal', async () => {
      const fixture = await createCall(test.api, 'accepted');
      await fixture.perform(fixture.callee, 'media-state', {
        terminal_id: 'phone',
        stage: 'joining',
        network_quality: 'poor',
      });
      await fixture.perform(fixture.callee, 'media-state', {
        terminal_id: 'phone',
        stage: 'joined',
        network_quality: 'good',
      });
      await fixture.perform(fixture.caller, 'media-state', { stage: 'joined' });
      await fixture.perform(fixture.caller, 'hangup');
      await fixture.perform(fixture.caller, 'media-state', { stage: 'left' });

      const rows = await test.query(
        `SELECT user_id, terminal_id, stage, network_quality FROM call_media_states WHERE call_id = ${fixture.id} ORDER BY user_id`,
      );
      expect(rows).toEqual([
        { user_id: fixture.callerId, terminal_id: '', stage: 'joined', network_quality: null },
        { user_id: fixture.calleeId, terminal_id: 'phone', stage: 'joined', network_quality: 'good' },
      ]);
    });

    it.each([
      [{ stage: 'x'.repeat(33) }, 'stage 长度不能超过 32 个字符'],
      [{ network_quality: 'x'.repeat(21) }, 'network_quality 长度不能超过 20 个字符'],
      [{ stage: true }, 'stage 必须是字符串'],
    ])('rejects %j', async (body, message) => {
      const fixture = await createCall(test.api);
      expect((await fixture.perform(fixture.caller, 'media-state', body)).body).toEqual({
        code: 422,
        message,
        data: null,
      });
    });
  });
});
