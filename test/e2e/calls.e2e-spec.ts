import { aCall, meet, newUserIds } from '../support/calls';
import { createTestApp, type TestApp } from '../support/test-app';

describe('Calls', () => {
  let test: TestApp;
  beforeEach(async () => {
    test = await createTestApp();
  });
  afterEach(() => test?.close());

  describe('POST /api/calls', () => {
    it('places a call and hands the caller what it needs for the media channel', async () => {
      const [caller] = await meet(test.api, 1, 2);
      const answer = await caller?.post('/api/calls', {
        callee_id: 2,
        media_type: 'video',
        terminal_id: 'desk',
      });
      expect(answer?.body).toEqual({
        code: 0,
        message: '操作成功',
        data: {
          call_id: expect.any(Number),
          status: 'ringing',
          media_type: 'video',
          channel_name: expect.stringMatching(/^[A-Za-z0-9-]{1,63}$/),
          app_id: expect.stringMatching(/^[0-9a-f]{32}$/),
          caller_uid: expect.stringMatching(/^[1-9]\d{0,9}$/),
          rtc_token: expect.stringMatching(/^007/),
          expire_at: '2026-01-31T09:00:00.000Z',
          ring_expires_at: '2026-01-31T08:01:00.000Z',
          version: 1,
        },
      });
      expect(answer?.status).toBe(200);
    });

    it('is an audio call when nothing else is said', async () => {
      const scene = await aCall(test.api);
      expect(await scene.record()).toMatchObject({ media_type: 'audio' });
    });

    it.each([
      [{}, 'callee_id 字段不能为空'],
      [{ callee_id: null }, 'callee_id 字段不能为空'],
      [{ callee_id: '2' }, 'callee_id 必须是整数'],
      [{ callee_id: 2.5 }, 'callee_id 必须是整数'],
      [{ callee_id: 0 }, 'callee_id 不能小于 1'],
      [{ callee_id: 2, media_type: 'smell' }, 'media_type 取值无效'],
      [{ callee_id: 2, media_type: ['audio'] }, 'media_type 取值无效'],
      [{ callee_id: 2, terminal_id: 7 }, 'terminal_id 必须是字符串'],
      [{ callee_id: 2, terminal_id: '机'.repeat(65) }, 'terminal_id 长度不能超过 64 个字符'],
      [{ callee_id: 2, request_id: 'r'.repeat(65) }, 'request_id 长度不能超过 64 个字符'],
      [{ callee_id: 2, request_id: 'a\u0000b' }, 'request_id 取值无效'],
      [{ callee_id: 0, media_type: 'smell', request_id: 7 }, 'callee_id 不能小于 1'],
    ])('refuses %j: %s', async (body, message) => {
      const [caller] = await meet(test.api, 1, 2);
      const answer = await caller?.post('/api/calls', body);
      expect(answer?.body).toEqual({ code: 422, message, data: null });
      expect((await caller?.get('/api/calls'))?.body.data.items).toEqual([]);
    });

    it('takes null and empty text in an optional field as left out', async () => {
      const [caller] = await meet(test.api, 1, 2);
      const answer = await caller?.post('/api/calls', {
        callee_id: 2,
        media_type: '',
        terminal_id: null,
        request_id: '',
      });
      expect(answer?.body).toMatchObject({ code: 0, data: { media_type: 'audio' } });
    });

    it('refuses a callee who does not exist with 404', async () => {
      const [caller] = await meet(test.api, 1);
      const answer = await caller?.post('/api/calls', { callee_id: 99 });
      expect(answer?.body).toEqual({ code: 404, message: '用户不存在', data: null });
    });

    it('refuses to call oneself with 41003', async () => {
      const [caller] = await meet(test.api, 1);
      const answer = await caller?.post('/api/calls', { callee_id: 1 });
      expect(answer?.body).toEqual({ code: 41003, message: '无法呼叫该用户', data: null });
      expect(answer?.status).toBe(409);
    });

    it('refuses a caller who is in another call with 41002 and records nothing', async () => {
      const scene = await aCall(test.api);
      const [other = 0] = newUserIds(1);
      await meet(test.api, other);
      const answer = await scene.caller.post('/api/calls', { callee_id: other });
      expect(answer.body).toEqual({ code: 41002, message: '您正在通话中', data: null });
      expect((await scene.caller.get('/api/calls')).body.data.pagination.total).toBe(1);
    });

    it('answers 41001 when the callee is in another call, and keeps the attempt in both histories', async () => {
      const scene = await aCall(test.api);
      const [busyCaller = 0] = newUserIds(1);
      const [third] = await meet(test.api, busyCaller);
      const answer = await third?.post('/api/calls', { callee_id: scene.calleeId, request_id: 'once' });
      expect(answer?.body).toEqual({ code: 41001, message: '对方忙线中', data: null });

      const attempt = {
        status: 'ended',
        end_reason: 'busy',
        ended_by: null,
        version: 1,
        created_at: '2026-01-31T08:00:00.000Z',
        ended_at: '2026-01-31T08:00:00.000Z',
        duration: 0,
      };
      const [mine] = (await third?.get('/api/calls'))?.body.data.items ?? [];
      expect(mine).toMatchObject({ ...attempt, direction: 'outgoing', missed: false });
      const [theirs] = (await scene.callee.get('/api/calls')).body.data.items;
      expect(theirs).toMatchObject({
        ...attempt,
        call_id: mine.call_id,
        direction: 'incoming',
        missed: true,
      });
      expect((await third?.get('/api/calls/active'))?.body.data).toBeNull();

      const again = await third?.post('/api/calls', { callee_id: scene.calleeId, request_id: 'once' });
      expect(again?.body).toEqual({ code: 41001, message: '对方忙线中', data: null });
      expect((await third?.get('/api/calls'))?.body.data.pagination.total).toBe(1);
    });

    it('puts the caller being busy before the callee being busy', async () => {
      const one = await aCall(test.api);
      const two = await aCall(test.api);
      const answer = await one.caller.post('/api/calls', { callee_id: two.calleeId });
      expect(answer.body.code).toBe(41002);
    });

    it.each(['rejected', 'cancelled', 'ended'] as const)(
      'lets both call again once the call is %s',
      async (stage) => {
        const scene = await aCall(test.api, stage);
        const answer = await scene.callee.post('/api/calls', { callee_id: scene.callerId });
        expect(answer.body).toMatchObject({ code: 0, data: { status: 'ringing' } });
      },
    );

    it('lets both call again once the ring has timed out, before any sweep', async () => {
      const scene = await aCall(test.api);
      test.clock.advance(60);
      const answer = await scene.callee.post('/api/calls', { callee_id: scene.callerId });
      expect(answer.body).toMatchObject({ code: 0, data: { status: 'ringing' } });
    });

    describe('with a request_id', () => {
      it('answers the same one with the same call and a fresh token', async () => {
        const scene = await aCall(test.api, 'ringing', { request_id: 'r-1' });
        const again = await scene.caller.post('/api/calls', { callee_id: scene.calleeId, request_id: 'r-1' });
        expect(again.body).toMatchObject({
          code: 0,
          data: { call_id: scene.id, status: 'ringing', version: 1 },
        });
        expect(again.body.data.rtc_token).toMatch(/^007/);
      });

      it('answers with the call as it is now', async () => {
        const scene = await aCall(test.api, 'accepted', { request_id: 'r-1' });
        const again = await scene.caller.post('/api/calls', { callee_id: scene.calleeId, request_id: 'r-1' });
        expect(again.body.data).toMatchObject({ call_id: scene.id, status: 'accepted', version: 2 });
      });

      it('answers a finished call without a token', async () => {
        const scene = await aCall(test.api, 'rejected', { request_id: 'r-1' });
        const again = await scene.caller.post('/api/calls', { callee_id: scene.calleeId, request_id: 'r-1' });
        expect(again.body.data).toMatchObject({
          call_id: scene.id,
          status: 'rejected',
          rtc_token: null,
          expire_at: null,
        });
      });

      it('answers a call that has timed out in the meantime as ended', async () => {
        const scene = await aCall(test.api, 'ringing', { request_id: 'r-1' });
        test.clock.advance(61);
        const again = await scene.caller.post('/api/calls', { callee_id: scene.calleeId, request_id: 'r-1' });
        expect(again.body.data).toMatchObject({ call_id: scene.id, status: 'ended', rtc_token: null });
      });

      it.each([
        [
          'media type',
          (calleeId: number) => ({ callee_id: calleeId, media_type: 'video', request_id: 'r-1' }),
        ],
        ['callee', () => ({ callee_id: 999_999, request_id: 'r-1' })],
      ])('refuses it with another %s: 409', async (_, body) => {
        const scene = await aCall(test.api, 'ended', { request_id: 'r-1' });
        const again = await scene.caller.post('/api/calls', body(scene.calleeId));
        expect(again.body).toEqual({ code: 409, message: '请求标识已被使用', data: null });
      });

      it.each(['R-1', 'r-1 ', 'r-１', 'ŕ-1'])('tells %j from "r-1", byte for byte', async (other) => {
        const scene = await aCall(test.api, 'ended', { request_id: 'r-1' });
        const answer = await scene.caller.post('/api/calls', {
          callee_id: scene.calleeId,
          request_id: other,
        });
        expect(answer.body.code).toBe(0);
        expect(answer.body.data.call_id).not.toBe(scene.id);
      });

      it('is the own one of each caller', async () => {
        const scene = await aCall(test.api, 'ended', { request_id: 'r-1' });
        const answer = await scene.callee.post('/api/calls', {
          callee_id: scene.callerId,
          request_id: 'r-1',
        });
        expect(answer.body.data.call_id).not.toBe(scene.id);
      });
    });
  });

  describe('POST /api/calls/{callId}/accept', () => {
    it('answers with the parameters to join, as specification 2.3 lists them', async () => {
      const scene = await aCall(test.api);
      const answer = await scene.act(scene.callee, 'accept', { terminal_id: 'phone' });
      const { channel_name } = await scene.record();
      expect(answer.body.data).toEqual({
        call_id: scene.id,
        status: 'accepted',
        channel_name,
        app_id: expect.stringMatching(/^[0-9a-f]{32}$/),
        callee_uid: expect.stringMatching(/^[1-9]\d{0,9}$/),
        rtc_token: expect.stringMatching(/^007/),
        expire_at: '2026-01-31T09:00:00.000Z',
        version: 2,
      });
    });

    it('gives the answering terminal the same answer again, with a fresh token', async () => {
      const scene = await aCall(test.api);
      const first = await scene.act(scene.callee, 'accept', { terminal_id: 'phone' });
      test.clock.advance(10);
      const again = await scene.act(scene.callee, 'accept', { terminal_id: 'phone' });
      expect(again.body.data).toEqual({
        ...first.body.data,
        rtc_token: expect.stringMatching(/^007/),
        expire_at: '2026-01-31T09:00:10.000Z',
      });
      expect(again.body.data.rtc_token).not.toBe(first.body.data.rtc_token);
    });

    it('answers a repetition during the call as accepted, with the current version', async () => {
      const scene = await aCall(test.api, 'ongoing');
      const again = await scene.act(scene.callee, 'accept', { terminal_id: 'phone' });
      expect(again.body.data).toMatchObject({ status: 'accepted', version: 3 });
      expect((await scene.record()).status).toBe('ongoing');
    });

    it('takes the nameless terminal as a terminal of its own', async () => {
      const scene = await aCall(test.api);
      expect((await scene.act(scene.callee, 'accept')).body.code).toBe(0);
      expect((await scene.act(scene.callee, 'accept', { terminal_id: '' })).body.code).toBe(0);
      expect((await scene.act(scene.callee, 'accept', { terminal_id: 'phone' })).body.code).toBe(41006);
    });

    it.each(['Phone', 'phone ', 'ｐhone'])('tells terminal %j from "phone", byte for byte', async (other) => {
      const scene = await aCall(test.api, 'accepted');
      expect((await scene.act(scene.callee, 'accept', { terminal_id: other })).body.code).toBe(41006);
    });

    it('comes too late at the very deadline', async () => {
      const scene = await aCall(test.api);
      test.clock.set('2026-01-31T08:01:00.000Z');
      const answer = await scene.act(scene.callee, 'accept', { terminal_id: 'phone' });
      expect(answer.body).toEqual({ code: 41007, message: '通话已结束', data: null });
    });

    it('is in time a millisecond before', async () => {
      const scene = await aCall(test.api);
      test.clock.set('2026-01-31T08:00:59.999Z');
      expect((await scene.act(scene.callee, 'accept', { terminal_id: 'phone' })).body.code).toBe(0);
    });
  });

  describe.each([
    ['reject', 'callee', 'ringing', 'rejected', 'user_reject'],
    ['cancel', 'caller', 'ringing', 'cancelled', 'caller_cancel'],
    ['hangup', 'callee', 'ongoing', 'ended', 'local_hangup'],
  ] as const)('POST /api/calls/{callId}/%s', (act, who, stage, status, reason) => {
    it('answers the status object of specification 2.2 with the default reason', async () => {
      const scene = await aCall(test.api, stage);
      const { version } = await scene.record();
      const answer = await scene.act(scene[who], act, {});
      expect(answer.body).toEqual({
        code: 0,
        message: '操作成功',
        data: { call_id: scene.id, status, end_reason: reason, version: version + 1 },
      });
    });

    it('keeps the given reason, and the first end stands', async () => {
      const scene = await aCall(test.api, stage);
      await scene.act(scene[who], act, { reason: '在开会 🙂', terminal_id: 'phone' });
      test.clock.advance(5);
      const again = await scene.act(scene[who], act, { reason: 'another' });
      expect(again.body.data).toMatchObject({ status, end_reason: '在开会 🙂' });
      expect(await scene.record()).toMatchObject({
        end_reason: '在开会 🙂',
        ended_by: who === 'caller' ? scene.callerId : scene.calleeId,
        ended_at: '2026-01-31T08:00:00.000Z',
      });
    });

    it.each([
      [{ reason: 'x'.repeat(51) }, 'reason 长度不能超过 50 个字符'],
      [{ reason: 5 }, 'reason 必须是字符串'],
      [{ terminal_id: 'x'.repeat(65), reason: 5 }, 'terminal_id 长度不能超过 64 个字符'],
    ])('refuses %j', async (body, message) => {
      const scene = await aCall(test.api, stage);
      const answer = await scene.act(scene[who], act, body);
      expect(answer.body).toEqual({ code: 422, message, data: null });
      expect((await scene.record()).status).toBe(stage);
    });
  });

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

  describe('Order of checks', () => {
    it('puts the token before the path, the path before the body, the body before the call', async () => {
      const user = await test.api.as({ id: 1 });
      const body = { terminal_id: 'x'.repeat(65) };
      expect((await test.api.post('/api/calls/abc/accept', body)).body.message).toBe('未授权');
      expect((await user.post('/api/calls/abc/accept', body)).body.message).toBe('callId 必须是整数');
      expect((await user.post('/api/calls/99/accept', body)).body.message).toBe(
        'terminal_id 长度不能超过 64 个字符',
      );
      expect((await user.post('/api/calls/99/accept', {})).body.message).toBe('通话不存在');
    });

    it.each(['0', '-1', '1.5', 'abc', '9007199254740992', '1'.repeat(200), '%20', '1e3', '0x10', '٣'])(
      'takes %s for no id',
      async (id) => {
        const user = await test.api.as({ id: 1 });
        const answer = await user.post(`/api/calls/${encodeURI(decodeURI(id))}/accept`);
        expect(answer.body).toEqual({ code: 422, message: 'callId 必须是整数', data: null });
      },
    );
  });
});
