import { aCall, meet, newUserIds } from '../support/calls';
import { createTestApp, START, type TestApp } from '../support/test-app';

describe('Calls', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
  });
  beforeEach(() => test.clock.set(START));
  afterAll(() => test?.close());

  describe('POST /api/calls', () => {
    it('places a call and hands the caller what it needs for the media channel', async () => {
      const [callerId = 0, calleeId = 0] = newUserIds(2);
      const [caller] = await meet(test.api, callerId, calleeId);
      const answer = await caller?.post('/api/calls', {
        callee_id: calleeId,
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
      const [caller] = await meet(test.api, ...newUserIds(1), 2);
      const answer = await caller?.post('/api/calls', body);
      expect(answer?.body).toEqual({ code: 422, message, data: null });
      expect((await caller?.get('/api/calls'))?.body.data.items).toEqual([]);
    });

    it('takes null and empty text in an optional field as left out', async () => {
      const [caller] = await meet(test.api, ...newUserIds(1), 2);
      const answer = await caller?.post('/api/calls', {
        callee_id: 2,
        media_type: '',
        terminal_id: null,
        request_id: '',
      });
      expect(answer?.body).toMatchObject({ code: 0, data: { media_type: 'audio' } });
    });

    it('refuses a callee who does not exist with 404', async () => {
      const [caller] = await meet(test.api, ...newUserIds(1));
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
});
