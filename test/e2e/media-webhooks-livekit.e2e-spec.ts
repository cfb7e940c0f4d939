import { CallDeadlines } from '../../src/calls/services/call-deadlines.job';
import { LIVEKIT, livekitBody, postLivekit } from '../support/media-webhooks';
import { createLivekitCall, UNAUTHORIZED } from '../support/media-calls';
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

    it('reject another secret, another body and a missing token', async () => {
      const body = livekitBody({ event: 'participant_joined', room: 'r', createdAt: 1 });
      expect((await postLivekit(test.api, body, { secret: 'x'.repeat(40) })).body).toEqual(UNAUTHORIZED);
      expect((await postLivekit(test.api, body, { hashOf: `${body} ` })).body).toEqual(UNAUTHORIZED);
      expect((await test.api.post('/api/media/webhooks/livekit', {})).body).toEqual(UNAUTHORIZED);
    });

    it('treat joining as a joined report', async () => {
      const { scene: fixture, tell, callee } = await createLivekitCall(test, 'accepted');
      await tell('participant_joined', { identity: callee });
      expect(await fixture.record()).toMatchObject({ status: 'ongoing', started_at: START });
    });

    it.each(['CLIENT_INITIATED', 'PARTICIPANT_REMOVED', 'ROOM_DELETED'])(
      'end an answered call when a user leaves permanently (%s)',
      async (disconnectReason) => {
        const { scene: fixture, tell, callee } = await createLivekitCall(test, 'ongoing');
        await tell('participant_left', { identity: callee, disconnectReason });
        expect(await fixture.record()).toMatchObject({ status: 'ended', end_reason: 'connection_lost' });
      },
    );

    it.each(['CONNECTION_TIMEOUT', 'SIGNAL_CLOSE'])(
      'give a transient loss (%s) 30 s',
      async (disconnectReason) => {
        for (const comesBack of [true, false]) {
          const { scene: fixture, tell, callee } = await createLivekitCall(test, 'ongoing');
          await tell('participant_left', { identity: callee, disconnectReason, createdAt: 100 });
          if (comesBack) await tell('participant_joined', { identity: callee, createdAt: 101 });
          test.clock.advance(30);
          await sweep();
          expect((await fixture.record()).status).toBe(comesBack ? 'ongoing' : 'ended');
        }
      },
    );

    it.each(['DUPLICATE_IDENTITY', 'UNKNOWN_REASON', 'JOIN_FAILURE'])(
      'ignore leaving for another reason (%s)',
      async (disconnectReason) => {
        const { scene: fixture, tell, callee } = await createLivekitCall(test, 'ongoing');
        await tell('participant_left', { identity: callee, disconnectReason });
        expect((await fixture.record()).status).toBe('ongoing');
      },
    );

    it('are ordered by created_at, and within a second by arrival', async () => {
      const { scene: fixture, tell, callee } = await createLivekitCall(test, 'accepted');
      await tell('participant_joined', { identity: callee, createdAt: 100 });
      await tell('participant_left', {
        identity: callee,
        disconnectReason: 'CLIENT_INITIATED',
        createdAt: 99,
      });
      expect((await fixture.record()).status).toBe('ongoing');
      await tell('participant_left', {
        identity: callee,
        disconnectReason: 'CLIENT_INITIATED',
        createdAt: 100,
      });
      expect((await fixture.record()).status).toBe('ended');
    });

    it('ignore unknown rooms, missing participants and other types', async () => {
      const { scene: fixture, tell, callee } = await createLivekitCall(test, 'accepted');
      await tell('participant_left', { room: 'nowhere', identity: callee, disconnectReason: 'ROOM_DELETED' });
      await tell('room_started');
      await tell('room_finished');
      await tell('track_published', { identity: callee });
      await tell('participant_left', { identity: 'somebody', disconnectReason: 'ROOM_DELETED' });
      expect(await fixture.record()).toMatchObject({ status: 'accepted', version: 2 });
    });

    it('return 404 on Agora’s path', async () => {
      const user = await test.api.as({ id: 1 });
      expect((await user.post('/api/media/webhooks/agora', {})).body.message).toBe('接口不存在');
    });
  });
});
