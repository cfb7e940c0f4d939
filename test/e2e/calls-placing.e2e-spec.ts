import { createCall, createUsers, newUserIds } from '../support/calls';
import { createTestApp, START, type TestApp } from '../support/test-app';

describe('Calls', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
  });
  beforeEach(() => test.clock.set(START));
  afterAll(() => test?.close());

  describe('POST /api/calls', () => {
    it('places a call and returns the parameters of the media channel to the caller', async () => {
      const [callerId = 0, calleeId = 0] = newUserIds(2);
      const [caller] = await createUsers(test.api, callerId, calleeId);
      const response = await caller?.post('/api/calls', {
        callee_id: calleeId,
        media_type: 'video',
        terminal_id: 'desk',
      });
      expect(response?.body).toEqual({
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
      expect(response?.status).toBe(200);
    });

    it('places an audio call by default', async () => {
      const fixture = await createCall(test.api);
      expect(await fixture.record()).toMatchObject({ media_type: 'audio' });
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
    ])('rejects %j: %s', async (body, message) => {
      const [caller] = await createUsers(test.api, ...newUserIds(1), 2);
      const response = await caller?.post('/api/calls', body);
      expect(response?.body).toEqual({ code: 422, message, data: null });
      expect((await caller?.get('/api/calls'))?.body.data.items).toEqual([]);
    });

    it('treats null and empty text in optional fields as omitted', async () => {
      const [caller] = await createUsers(test.api, ...newUserIds(1), 2);
      const response = await caller?.post('/api/calls', {
        callee_id: 2,
        media_type: '',
        terminal_id: null,
        request_id: '',
      });
      expect(response?.body).toMatchObject({ code: 0, data: { media_type: 'audio' } });
    });

    it('returns 404 for an unknown callee', async () => {
      const [caller] = await createUsers(test.api, ...newUserIds(1));
      const response = await caller?.post('/api/calls', { callee_id: 99 });
      expect(response?.body).toEqual({ code: 404, message: '用户不存在', data: null });
    });

    it('returns 41003 for a call to oneself', async () => {
      const [caller] = await createUsers(test.api, 1);
      const response = await caller?.post('/api/calls', { callee_id: 1 });
      expect(response?.body).toEqual({ code: 41003, message: '无法呼叫该用户', data: null });
      expect(response?.status).toBe(409);
    });

    it('returns 41002 to a caller in another call, and records nothing', async () => {
      const fixture = await createCall(test.api);
      const [other = 0] = newUserIds(1);
      await createUsers(test.api, other);
      const response = await fixture.caller.post('/api/calls', { callee_id: other });
      expect(response.body).toEqual({ code: 41002, message: '您正在通话中', data: null });
      expect((await fixture.caller.get('/api/calls')).body.data.pagination.total).toBe(1);
    });

    it('returns 41001 when the callee is in another call, and stores the attempt in both histories', async () => {
      const fixture = await createCall(test.api);
      const [busyCaller = 0] = newUserIds(1);
      const [third] = await createUsers(test.api, busyCaller);
      const response = await third?.post('/api/calls', { callee_id: fixture.calleeId, request_id: 'once' });
      expect(response?.body).toEqual({ code: 41001, message: '对方忙线中', data: null });

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
      const [theirs] = (await fixture.callee.get('/api/calls')).body.data.items;
      expect(theirs).toMatchObject({
        ...attempt,
        call_id: mine.call_id,
        direction: 'incoming',
        missed: true,
      });
      expect((await third?.get('/api/calls/active'))?.body.data).toBeNull();

      const again = await third?.post('/api/calls', { callee_id: fixture.calleeId, request_id: 'once' });
      expect(again?.body).toEqual({ code: 41001, message: '对方忙线中', data: null });
      expect((await third?.get('/api/calls'))?.body.data.pagination.total).toBe(1);
    });

    it('checks the caller before the callee for another call', async () => {
      const one = await createCall(test.api);
      const two = await createCall(test.api);
      const response = await one.caller.post('/api/calls', { callee_id: two.calleeId });
      expect(response.body.code).toBe(41002);
    });

    it.each(['rejected', 'cancelled', 'ended'] as const)(
      'allows new calls of both once the call is %s',
      async (stage) => {
        const fixture = await createCall(test.api, stage);
        const response = await fixture.callee.post('/api/calls', { callee_id: fixture.callerId });
        expect(response.body).toMatchObject({ code: 0, data: { status: 'ringing' } });
      },
    );

    it('allows new calls of both once the ring has timed out, before any sweep', async () => {
      const fixture = await createCall(test.api);
      test.clock.advance(60);
      const response = await fixture.callee.post('/api/calls', { callee_id: fixture.callerId });
      expect(response.body).toMatchObject({ code: 0, data: { status: 'ringing' } });
    });

    describe('with a request_id', () => {
      it('returns the same call with a new token when repeated', async () => {
        const fixture = await createCall(test.api, 'ringing', { request_id: 'r-1' });
        const again = await fixture.caller.post('/api/calls', {
          callee_id: fixture.calleeId,
          request_id: 'r-1',
        });
        expect(again.body).toMatchObject({
          code: 0,
          data: { call_id: fixture.id, status: 'ringing', version: 1 },
        });
        expect(again.body.data.rtc_token).toMatch(/^007/);
      });

      it('returns the current state of the call', async () => {
        const fixture = await createCall(test.api, 'accepted', { request_id: 'r-1' });
        const again = await fixture.caller.post('/api/calls', {
          callee_id: fixture.calleeId,
          request_id: 'r-1',
        });
        expect(again.body.data).toMatchObject({ call_id: fixture.id, status: 'accepted', version: 2 });
      });

      it('returns a finished call without a token', async () => {
        const fixture = await createCall(test.api, 'rejected', { request_id: 'r-1' });
        const again = await fixture.caller.post('/api/calls', {
          callee_id: fixture.calleeId,
          request_id: 'r-1',
        });
        expect(again.body.data).toMatchObject({
          call_id: fixture.id,
          status: 'rejected',
          rtc_token: null,
          expire_at: null,
        });
      });

      it('returns a call that has timed out meanwhile as ended', async () => {
        const fixture = await createCall(test.api, 'ringing', { request_id: 'r-1' });
        test.clock.advance(61);
        const again = await fixture.caller.post('/api/calls', {
          callee_id: fixture.calleeId,
          request_id: 'r-1',
        });
        expect(again.body.data).toMatchObject({ call_id: fixture.id, status: 'ended', rtc_token: null });
      });

      it.each([
        [
          'media type',
          (calleeId: number) => ({ callee_id: calleeId, media_type: 'video', request_id: 'r-1' }),
        ],
        ['callee', () => ({ callee_id: 999_999, request_id: 'r-1' })],
      ])('returns 409 with another %s', async (_, body) => {
        const fixture = await createCall(test.api, 'ended', { request_id: 'r-1' });
        const again = await fixture.caller.post('/api/calls', body(fixture.calleeId));
        expect(again.body).toEqual({ code: 409, message: '请求标识已被使用', data: null });
      });

      it.each(['R-1', 'r-1 ', 'r-１', 'ŕ-1'])('distinguishes %j from "r-1", byte for byte', async (other) => {
        const fixture = await createCall(test.api, 'ended', { request_id: 'r-1' });
        const response = await fixture.caller.post('/api/calls', {
          callee_id: fixture.calleeId,
          request_id: other,
        });
        expect(response.body.code).toBe(0);
        expect(response.body.data.call_id).not.toBe(fixture.id);
      });

      it('is separate for each caller', async () => {
        const fixture = await createCall(test.api, 'ended', { request_id: 'r-1' });
        const response = await fixture.callee.post('/api/calls', {
          callee_id: fixture.callerId,
          request_id: 'r-1',
        });
        expect(response.body.data.call_id).not.toBe(fixture.id);
      });
    });
  });
});
