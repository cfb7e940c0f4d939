import { CallDeadlines } from '../../src/calls/call-deadlines';
import { MediaWebhooks } from '../../src/calls/media-webhooks';
import type { Answer } from '../support/api-client';
import { aCall, type CallScene, type Stage } from '../support/calls';
import {
  AGORA_SECRET,
  agoraBody,
  type AgoraEvent,
  LIVEKIT,
  livekitBody,
  type LivekitEvent,
  postAgora,
  postLivekit,
} from '../support/media-notices';
import { createTestApp, START, type TestApp } from '../support/test-app';

const OK = { code: 0, message: '操作成功', data: null };
const UNAUTHORIZED = { code: 401, message: '未授权', data: null };

const JOIN = 103;
const LEAVE = 104;
const DESTROYED = 102;

interface Uids {
  channel: string;
  caller: number;
  callee: number;
}

describe('Media webhooks', () => {
  let test: TestApp;

  const uidsOf = async ({ id }: CallScene): Promise<Uids> => {
    const [row] = await test.query(
      `SELECT channel_name AS channel, caller_uid AS caller, callee_uid AS callee FROM calls WHERE id = ${id}`,
    );
    return row as Uids;
  };
  const sweep = (): Promise<void> => test.app.get(CallDeadlines).sweep();

  describe('of Agora', () => {
    beforeAll(async () => {
      test = await createTestApp({ env: { AGORA_WEBHOOK_SECRET: AGORA_SECRET } });
    });
    afterAll(() => test?.close());
    beforeEach(() => test.clock.set(START));

    /** A call, and hands to tell of its channel. */
    const aCallInChannel = async (stage: Stage) => {
      const scene = await aCall(test.api, stage);
      const { channel, caller, callee } = await uidsOf(scene);
      const tell = async (eventType: number, more: Partial<AgoraEvent> = {}): Promise<void> => {
        const answer = await postAgora(test.api, agoraBody({ eventType, channelName: channel, ...more }));
        expect([answer.status, answer.body]).toEqual([200, OK]);
      };
      return { scene, tell, channel, caller, callee };
    };

    describe('the signature', () => {
      // The example of the provider, recomputed.
      const body =
        '{"eventMs":1560408533119,"eventType":10,"noticeId":"4eb720f0-8da7-11e9-a43e-53f411c2761f","notifyMs":1560408533119,"payload":{"a":"1","b":2},"productId":1}';
      const sha1 = '033c62f40f687675f17f0f41f91a40c71c0f134c';
      const sha256 = '6d3320c60b11101395b7fc8f9068748808a0aa1bfa064438e39d1bc2c7d74d99';

      it.each<[string, Record<string, string>, Answer['body']]>([
        ['SHA-256', { 'agora-signature-v2': sha256 }, OK],
        ['SHA-1 alone', { 'agora-signature': sha1 }, OK],
        ['both', { 'agora-signature': sha1, 'agora-signature-v2': sha256 }, OK],
        ['both in capitals', { 'agora-signature': sha1, 'agora-signature-v2': sha256.toUpperCase() }, OK],
        [
          'a bad SHA-256 beside a good SHA-1',
          { 'agora-signature': sha1, 'agora-signature-v2': sha1 },
          UNAUTHORIZED,
        ],
        [
          'an empty SHA-256 beside a good SHA-1',
          { 'agora-signature': sha1, 'agora-signature-v2': '' },
          UNAUTHORIZED,
        ],
        ['SHA-256 in the header of SHA-1', { 'agora-signature': sha256 }, UNAUTHORIZED],
        ['a shortened one', { 'agora-signature-v2': sha256.slice(0, 62) }, UNAUTHORIZED],
        ['one that is not hexadecimal', { 'agora-signature-v2': 'x'.repeat(64) }, UNAUTHORIZED],
        ['none', {}, UNAUTHORIZED],
      ])('%s', async (_, headers, expected) => {
        const answer = await postAgora(test.api, body, headers);
        expect([answer.status, answer.body]).toEqual([expected.code || 200, expected]);
      });

      it('covers every byte of the body', async () => {
        expect((await postAgora(test.api, `${body} `, { 'agora-signature-v2': sha256 })).body).toEqual(
          UNAUTHORIZED,
        );
      });

      it('comes before the body, which may be no JSON', async () => {
        expect((await postAgora(test.api, '{', {})).body).toEqual(UNAUTHORIZED);
        expect((await postAgora(test.api, '{')).body).toEqual({
          code: 400,
          message: '请求体不是有效的 JSON',
          data: null,
        });
      });
    });

    it.each([
      '[]',
      'null',
      '7',
      '{}',
      '{"noticeId":"n","productId":1,"eventType":103,"payload":null}',
      '{"noticeId":"n","productId":1,"eventType":{"toString":0}}',
      '{"noticeId":"n","productId":1,"eventType":104,"payload":{"channelName":"c","uid":1,"reason":{"valueOf":0}}}',
      '{"noticeId":"n","productId":1,"eventType":103,"payload":{"channelName":"c","uid":{"toString":0}}}',
      '{"noticeId":"n","productId":1,"eventType":103,"payload":{"channelName":"c","uid":1,"clientSeq":{"toString":0}}}',
    ])('a signed body of another shape is taken and does nothing: %s', async (body) => {
      expect((await postAgora(test.api, body)).body).toEqual(OK);
    });

    it('an unknown channel, an unknown uid and another product do nothing', async () => {
      const { scene, tell, channel, callee } = await aCallInChannel('accepted');
      await tell(LEAVE, { channelName: 'call-nowhere', uid: callee, reason: 1, clientSeq: 1 });
      await tell(LEAVE, { uid: callee === 7 ? 8 : 7, reason: 1, clientSeq: 1 });
      const other = agoraBody({ eventType: LEAVE, channelName: channel, uid: callee, reason: 1 });
      await postAgora(test.api, other.replace('"productId":1', '"productId":3'));
      expect(await scene.record()).toMatchObject({ status: 'accepted', version: 2 });
    });

    it.each([103, 105, 107])('joining (%i) counts as a joined report', async (eventType) => {
      const { scene, tell, callee } = await aCallInChannel('accepted');
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
      const { scene, tell, caller } = await aCallInChannel('ringing');
      await tell(JOIN, { uid: caller, clientSeq: 1 });
      expect(await scene.record()).toMatchObject({ status: 'ringing', version: 2, started_at: START });
    });

    it.each([
      [104, 1],
      [106, 3],
      [108, 12],
    ])('leaving (%i) for good (%i) ends an answered call', async (eventType, reason) => {
      const { scene, tell, caller } = await aCallInChannel('ongoing');
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
      const { scene, tell, callee } = await aCallInChannel('accepted');
      await tell(JOIN, { uid: callee, clientSeq: 1, ts: 100 });
      await tell(DESTROYED, { ts: 100 });
      expect(await scene.record()).toMatchObject({ status: 'ended', end_reason: 'connection_lost' });
    });

    it('a channel destroyed before somebody joined it anew ends nothing', async () => {
      const { scene, tell, callee } = await aCallInChannel('accepted');
      await tell(JOIN, { uid: callee, clientSeq: 1, ts: 101 });
      await tell(DESTROYED, { ts: 100 });
      expect(await scene.record()).toMatchObject({ status: 'ongoing' });
    });

    it.each([2, 4, 9, 10, 99])('a transient loss (%i) gets 30 s, then ends the call', async (reason) => {
      const { scene, tell, callee } = await aCallInChannel('ongoing');
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
      const { scene, tell, callee } = await aCallInChannel('ongoing');
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
      const { scene, tell, caller, callee } = await aCallInChannel('ongoing');
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
      const { scene, tell, callee } = await aCallInChannel('ongoing');
      await tell(LEAVE, { uid: callee, reason: 2, clientSeq: 5 });
      test.clock.advance(20);
      await tell(LEAVE, { uid: callee, reason: 10, clientSeq: 6 });
      test.clock.advance(10);
      expect(await scene.record()).toMatchObject({ ended_at: '2026-01-31T08:00:30.000Z' });
    });

    it.each([0, 5, 999, undefined])('leaving for reason %s means nothing', async (reason) => {
      const { scene, tell, callee } = await aCallInChannel('ongoing');
      await tell(LEAVE, { uid: callee, reason, clientSeq: 5 });
      test.clock.advance(60);
      expect((await scene.record()).status).toBe('ongoing');
    });

    it('while it rings, only the caller’s leaving for good matters: it cancels the call, which is missed', async () => {
      const { scene, tell, caller, callee } = await aCallInChannel('ringing');
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
      const { scene, tell, caller } = await aCallInChannel('ringing');
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
      const { scene, tell, caller, callee } = await aCallInChannel('rejected');
      await tell(JOIN, { uid: caller, clientSeq: 1 });
      await tell(LEAVE, { uid: callee, reason: 1, clientSeq: 1 });
      await tell(DESTROYED);
      expect(await scene.record()).toMatchObject({ status: 'rejected', version: 2, started_at: null });
    });

    describe('in disorder', () => {
      it('a leave that comes after the join that followed it changes nothing', async () => {
        const { scene, tell, callee } = await aCallInChannel('accepted');
        await tell(JOIN, { uid: callee, clientSeq: 7 });
        await tell(LEAVE, { uid: callee, reason: 1, clientSeq: 6 });
        await tell(LEAVE, { uid: callee, reason: 2, clientSeq: 7 });
        test.clock.advance(60);
        await sweep();
        expect((await scene.record()).status).toBe('ongoing');
      });

      it('a join that comes after the loss that followed it brings nobody back', async () => {
        const { scene, tell, callee } = await aCallInChannel('ongoing');
        await tell(LEAVE, { uid: callee, reason: 2, clientSeq: 7 });
        await tell(JOIN, { uid: callee, clientSeq: 6 });
        test.clock.advance(30);
        expect((await scene.record()).end_reason).toBe('connection_lost');
      });

      it('64-bit numbers are told apart to the last digit', async () => {
        const { scene, tell, callee } = await aCallInChannel('ongoing');
        await tell(LEAVE, { uid: callee, reason: 2, clientSeq: '18446744073709551614' });
        await tell(JOIN, { uid: callee, clientSeq: '18446744073709551615' });
        test.clock.advance(60);
        expect((await scene.record()).status).toBe('ongoing');
      });

      it('each participant has an order of its own', async () => {
        const { scene, tell, caller, callee } = await aCallInChannel('accepted');
        await tell(JOIN, { uid: callee, clientSeq: 100 });
        await tell(LEAVE, { uid: caller, reason: 1, clientSeq: 1 });
        expect((await scene.record()).status).toBe('ended');
      });

      it('a leave told while it rings does not end the answered call when it is told again', async () => {
        const { scene, tell, callee } = await aCallInChannel('ringing');
        const leave = { uid: callee, reason: 1, clientSeq: 5, noticeId: 'again' };
        await tell(LEAVE, leave);
        await scene.act(scene.callee, 'accept');
        await tell(LEAVE, leave);
        await tell(LEAVE, { ...leave, noticeId: 'another id, the same event' });
        expect((await scene.record()).status).toBe('accepted');
      });

      it('a notice without an order counts once by its id', async () => {
        const { scene, tell, callee } = await aCallInChannel('ringing');
        await tell(LEAVE, { uid: callee, reason: 1, noticeId: 'once' });
        await scene.act(scene.callee, 'accept');
        await tell(LEAVE, { uid: callee, reason: 1, noticeId: 'once' });
        expect((await scene.record()).status).toBe('accepted');
      });
    });

    it('the same notice ten times at once takes effect once; 50 rounds', async () => {
      for (let round = 0; round < 50; round += 1) {
        const { scene, channel, callee } = await aCallInChannel('accepted');
        const body = agoraBody({ eventType: JOIN, channelName: channel, uid: callee, clientSeq: 1 });
        const answers = await Promise.all(Array.from({ length: 10 }, () => postAgora(test.api, body)));
        expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
        expect(await scene.record()).toMatchObject({ status: 'ongoing', version: 3 });
        await scene.act(scene.caller, 'hangup');
      }
    });

    it('coming back against the end of the grace: the call lives or is lost, never both; 50 rounds', async () => {
      for (let round = 0; round < 50; round += 1) {
        const { scene, tell, callee } = await aCallInChannel('ongoing');
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

    it('notices are forgotten after a day', async () => {
      const { tell, callee } = await aCallInChannel('accepted');
      await tell(JOIN, { uid: callee, clientSeq: 1, noticeId: 'old' });
      const kept = () => test.query("SELECT id FROM media_notices WHERE id = 'agora:old'");
      test.clock.advance(86_399);
      await test.app.get(MediaWebhooks).forget();
      expect(await kept()).toEqual([{ id: 'agora:old' }]);
      test.clock.advance(2);
      await test.app.get(MediaWebhooks).forget();
      expect(await kept()).toEqual([]);
    });
  });

  describe('of Agora without a secret', () => {
    beforeAll(async () => {
      test = await createTestApp();
    });
    afterAll(() => test?.close());

    it('every notice is refused', async () => {
      expect((await postAgora(test.api, '{}')).body).toEqual(UNAUTHORIZED);
    });

    it('LiveKit’s path does not exist', async () => {
      expect((await postLivekit(await test.api.as({ id: 1 }), '{}')).status).toBe(401);
      const user = await test.api.as({ id: 1 });
      expect((await user.post('/api/media/webhooks/livekit', {})).body.message).toBe('接口不存在');
    });
  });

  describe('of LiveKit', () => {
    beforeAll(async () => {
      test = await createTestApp({ env: LIVEKIT });
    });
    afterAll(() => test?.close());
    beforeEach(() => test.clock.set(START));

    const aCallInRoom = async (stage: Stage) => {
      const scene = await aCall(test.api, stage);
      const { channel, caller, callee } = await uidsOf(scene);
      const tell = async (event: string, more: Partial<LivekitEvent> = {}): Promise<void> => {
        const body = livekitBody({ event, room: channel, createdAt: 100, ...more });
        const answer = await postLivekit(test.api, body);
        expect([answer.status, answer.body]).toEqual([200, OK]);
      };
      return { scene, tell, caller: String(caller), callee: String(callee) };
    };

    it('are refused under another secret, for another body and without a token', async () => {
      const body = livekitBody({ event: 'participant_joined', room: 'r', createdAt: 1 });
      expect((await postLivekit(test.api, body, { secret: 'x'.repeat(40) })).body).toEqual(UNAUTHORIZED);
      expect((await postLivekit(test.api, body, { hashOf: `${body} ` })).body).toEqual(UNAUTHORIZED);
      expect((await test.api.post('/api/media/webhooks/livekit', {})).body).toEqual(UNAUTHORIZED);
    });

    it('joining counts as a joined report', async () => {
      const { scene, tell, callee } = await aCallInRoom('accepted');
      await tell('participant_joined', { identity: callee });
      expect(await scene.record()).toMatchObject({ status: 'ongoing', started_at: START });
    });

    it.each(['CLIENT_INITIATED', 'PARTICIPANT_REMOVED', 'ROOM_DELETED'])(
      'leaving for good (%s) ends an answered call',
      async (disconnectReason) => {
        const { scene, tell, callee } = await aCallInRoom('ongoing');
        await tell('participant_left', { identity: callee, disconnectReason });
        expect(await scene.record()).toMatchObject({ status: 'ended', end_reason: 'connection_lost' });
      },
    );

    it.each(['CONNECTION_TIMEOUT', 'SIGNAL_CLOSE'])(
      'a transient loss (%s) gets 30 s to come back',
      async (disconnectReason) => {
        for (const comesBack of [true, false]) {
          const { scene, tell, callee } = await aCallInRoom('ongoing');
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
        const { scene, tell, callee } = await aCallInRoom('ongoing');
        await tell('participant_left', { identity: callee, disconnectReason });
        expect((await scene.record()).status).toBe('ongoing');
      },
    );

    it('are ordered by created_at, those of one second as they come', async () => {
      const { scene, tell, callee } = await aCallInRoom('accepted');
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
      const { scene, tell, callee } = await aCallInRoom('accepted');
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
