import { CallDeadlines } from '../../src/calls/services/call-deadlines.job';
import { LIVEKIT, livekitBody, postLivekit } from '../support/media-notices';
import { aCallInRoom, UNAUTHORIZED } from '../support/media-calls';
import { createTestApp, START, type TestApp } from '../support/test-app';

describe('Media webhooks', () => {
  let test: TestApp;

  const sweep = (): Promise<void> => test.app.get(CallDeadlines).sweep();

  describe('of LiveKit', () => {
    beforeAll(async () => {
      test = await createTestApp({ env: LIVEKIT });
    });
    afterAll(() => test?.close());
    beforeEach(() => test.clock.set(START));

    it('are refused under another secret, for another body and without a token', async () => {
      const body = livekitBody({ event: 'participant_joined', room: 'r', createdAt: 1 });
      expect((await postLivekit(test.api, body, { secret: 'x'.repeat(40) })).body).toEqual(UNAUTHORIZED);
      expect((await postLivekit(test.api, body, { hashOf: `${body} ` })).body).toEqual(UNAUTHORIZED);
      expect((await test.api.post('/api/media/webhooks/livekit', {})).body).toEqual(UNAUTHORIZED);
    });

    it('joining counts as a joined report', async () => {
      const { scene, tell, callee } = await aCallInRoom(test, 'accepted');
      await tell('participant_joined', { identity: callee });
      expect(await scene.record()).toMatchObject({ status: 'ongoing', started_at: START });
    });

    it.each(['CLIENT_INITIATED', 'PARTICIPANT_REMOVED', 'ROOM_DELETED'])(
      'leaving for good (%s) ends an answered call',
      async (disconnectReason) => {
        const { scene, tell, callee } = await aCallInRoom(test, 'ongoing');
        await tell('participant_left', { identity: callee, disconnectReason });
        expect(await scene.record()).toMatchObject({ status: 'ended', end_reason: 'connection_lost' });
      },
    );

    it.each(['CONNECTION_TIMEOUT', 'SIGNAL_CLOSE'])(
      'a transient loss (%s) gets 30 s to come back',
      async (disconnectReason) => {
        for (const comesBack of [true, false]) {
          const { scene, tell, callee } = await aCallInRoom(test, 'ongoing');
          await tell('participant_left', { identity: callee, disconnectReason, createdAt: 100 });
          if (comesBack) await tell('participant_joined', { identity: callee, createdAt: 101 });
          test.clock.advance(30);
          await sweep();
          expect((await scene.record()).status).toBe(comesBack ? 'ongoing' : 'ended');
        }
      },
    );

    it.each(['DUPLICATE_IDENTITY', 'UNKNOWN_REASON', 'JOIN_FAILURE'])(
      'leaving for another reason (%s) means nothing',
      async (disconnectReason) => {
        const { scene, tell, callee } = await aCallInRoom(test, 'ongoing');
        await tell('participant_left', { identity: callee, disconnectReason });
        expect((await scene.record()).status).toBe('ongoing');
      },
    );

    it('are ordered by created_at, those of one second as they come', async () => {
      const { scene, tell, callee } = await aCallInRoom(test, 'accepted');
      await tell('participant_joined', { identity: callee, createdAt: 100 });
      await tell('participant_left', {
        identity: callee,
        disconnectReason: 'CLIENT_INITIATED',
        createdAt: 99,
      });
      expect((await scene.record()).status).toBe('ongoing');
      await tell('participant_left', {
        identity: callee,
        disconnectReason: 'CLIENT_INITIATED',
        createdAt: 100,
      });
      expect((await scene.record()).status).toBe('ended');
    });

    it('of an unknown room, without a participant or of another kind do nothing', async () => {
      const { scene, tell, callee } = await aCallInRoom(test, 'accepted');
      await tell('participant_left', { room: 'nowhere', identity: callee, disconnectReason: 'ROOM_DELETED' });
      await tell('room_started');
      await tell('room_finished');
      await tell('track_published', { identity: callee });
      await tell('participant_left', { identity: 'somebody', disconnectReason: 'ROOM_DELETED' });
      expect(await scene.record()).toMatchObject({ status: 'accepted', version: 2 });
    });

    it('Agora’s path does not exist', async () => {
      const user = await test.api.as({ id: 1 });
      expect((await user.post('/api/media/webhooks/agora', {})).body.message).toBe('接口不存在');
    });
  });
});
