import { aCall } from '../support/calls';
import { createTestApp, START, type TestApp } from '../support/test-app';

describe('Calls', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
  });
  beforeEach(() => test.clock.set(START));
  afterAll(() => test?.close());

  describe('POST /api/calls/{callId}/media-state', () => {
    it('starts the clock at the first joined while ringing, and the status stays', async () => {
      const scene = await aCall(test.api);
      test.clock.advance(3);
      const answer = await scene.act(scene.caller, 'media-state', {
        stage: 'joined',
        network_quality: 'good',
      });
      expect(answer.body.data).toEqual({
        call_id: scene.id,
        status: 'ringing',
        started_at: '2026-01-31T08:00:03.000Z',
        version: 2,
      });
    });

    it('moves an accepted call to ongoing at the first joined', async () => {
      const scene = await aCall(test.api, 'accepted');
      test.clock.advance(4);
      const answer = await scene.act(scene.callee, 'media-state', { terminal_id: 'phone', stage: 'joined' });
      expect(answer.body.data).toEqual({
        call_id: scene.id,
        status: 'ongoing',
        started_at: '2026-01-31T08:00:04.000Z',
        version: 3,
      });
    });

    it('moves to ongoing without touching a clock that runs already', async () => {
      const scene = await aCall(test.api);
      await scene.act(scene.caller, 'media-state', { stage: 'joined' });
      await scene.act(scene.callee, 'accept');
      test.clock.advance(9);
      const answer = await scene.act(scene.callee, 'media-state', { stage: 'joined' });
      expect(answer.body.data).toMatchObject({
        status: 'ongoing',
        started_at: '2026-01-31T08:00:00.000Z',
        version: 4,
      });
    });

    it('leaves everything alone at a second joined and at other stages', async () => {
      const scene = await aCall(test.api, 'ongoing');
      test.clock.advance(9);
      for (const stage of ['joined', 'publishing', undefined]) {
        const answer = await scene.act(scene.caller, 'media-state', { stage, network_quality: 'poor' });
        expect(answer.body.data).toMatchObject({
          status: 'ongoing',
          started_at: '2026-01-31T08:00:00.000Z',
          version: 3,
        });
      }
    });

    it('leaves what a later report does not mention as it was reported', async () => {
      const scene = await aCall(test.api, 'accepted');
      await scene.act(scene.callee, 'media-state', { terminal_id: 'phone', stage: 'joined' });
      await scene.act(scene.callee, 'media-state', { terminal_id: 'phone', network_quality: 'poor' });
      const rows = await test.query(
        `SELECT stage, network_quality FROM call_media_states WHERE call_id = ${scene.id}`,
      );
      expect(rows).toEqual([{ stage: 'joined', network_quality: 'poor' }]);
    });

    it('keeps the latest report of each user and terminal', async () => {
      const scene = await aCall(test.api, 'accepted');
      await scene.act(scene.callee, 'media-state', {
        terminal_id: 'phone',
        stage: 'joining',
        network_quality: 'poor',
      });
      await scene.act(scene.callee, 'media-state', {
        terminal_id: 'phone',
        stage: 'joined',
        network_quality: 'good',
      });
      await scene.act(scene.caller, 'media-state', { stage: 'joined' });
      await scene.act(scene.caller, 'hangup');
      await scene.act(scene.caller, 'media-state', { stage: 'left' });

      const rows = await test.query(
        `SELECT user_id, terminal_id, stage, network_quality FROM call_media_states WHERE call_id = ${scene.id} ORDER BY user_id`,
      );
      expect(rows).toEqual([
        { user_id: scene.callerId, terminal_id: '', stage: 'joined', network_quality: null },
        { user_id: scene.calleeId, terminal_id: 'phone', stage: 'joined', network_quality: 'good' },
      ]);
    });

    it.each([
      [{ stage: 'x'.repeat(33) }, 'stage 长度不能超过 32 个字符'],
      [{ network_quality: 'x'.repeat(21) }, 'network_quality 长度不能超过 20 个字符'],
      [{ stage: true }, 'stage 必须是字符串'],
    ])('refuses %j', async (body, message) => {
      const scene = await aCall(test.api);
      expect((await scene.act(scene.caller, 'media-state', body)).body).toEqual({
        code: 422,
        message,
        data: null,
      });
    });
  });
});
