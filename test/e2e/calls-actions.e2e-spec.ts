import { createCall } from '../support/calls';
import { createTestApp, START, type TestApp } from '../support/test-app';

describe('Calls', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
  });
  beforeEach(() => test.clock.set(START));
  afterAll(() => test?.close());

  describe('POST /api/calls/{callId}/accept', () => {
    it('answers with the parameters to join, as API 5.4 lists them', async () => {
      const fixture = await createCall(test.api);
      const response = await fixture.perform(fixture.callee, 'accept', { terminal_id: 'phone' });
      const { channel_name } = await fixture.record();
      expect(response.body.data).toEqual({
        call_id: fixture.id,
        status: 'accepted',
        channel_name,
        app_id: expect.stringMatching(/^[0-9a-f]{32}$/),
        callee_uid: expect.stringMatching(/^[1-9]\d{0,9}$/),
        rtc_token: expect.stringMatching(/^007/),
        expire_at: '2026-01-31T09:00:00.000Z',
        version: 2,
      });
    });

    it('returns the same response to the answering terminal again, with a new token', async () => {
      const fixture = await createCall(test.api);
      const first = await fixture.perform(fixture.callee, 'accept', { terminal_id: 'phone' });
      test.clock.advance(10);
      const again = await fixture.perform(fixture.callee, 'accept', { terminal_id: 'phone' });
      expect(again.body.data).toEqual({
        ...first.body.data,
        rtc_token: expect.stringMatching(/^007/),
        expire_at: '2026-01-31T09:00:10.000Z',
      });
      expect(again.body.data.rtc_token).not.toBe(first.body.data.rtc_token);
    });

    it('returns a repetition during the call as accepted, with the current version', async () => {
      const fixture = await createCall(test.api, 'ongoing');
      const again = await fixture.perform(fixture.callee, 'accept', { terminal_id: 'phone' });
      expect(again.body.data).toMatchObject({ status: 'accepted', version: 3 });
      expect((await fixture.record()).status).toBe('ongoing');
    });

    it('treats the unnamed terminal as a terminal of its own', async () => {
      const fixture = await createCall(test.api);
      expect((await fixture.perform(fixture.callee, 'accept')).body.code).toBe(0);
      expect((await fixture.perform(fixture.callee, 'accept', { terminal_id: '' })).body.code).toBe(0);
      expect((await fixture.perform(fixture.callee, 'accept', { terminal_id: 'phone' })).body.code).toBe(
        41006,
      );
    });

    it.each(['Phone', 'phone ', 'ｐhone'])(
      'distinguishes terminal %j from "phone", byte for byte',
      async (other) => {
        const fixture = await createCall(test.api, 'accepted');
        expect((await fixture.perform(fixture.callee, 'accept', { terminal_id: other })).body.code).toBe(
          41006,
        );
      },
    );

    it('is rejected exactly at the deadline', async () => {
      const fixture = await createCall(test.api);
      test.clock.set('2026-01-31T08:01:00.000Z');
      const response = await fixture.perform(fixture.callee, 'accept', { terminal_id: 'phone' });
      expect(response.body).toEqual({ code: 41007, message: '通话已结束', data: null });
    });

    it('is accepted a millisecond before the deadline', async () => {
      const fixture = await createCall(test.api);
      test.clock.set('2026-01-31T08:00:59.999Z');
      expect((await fixture.perform(fixture.callee, 'accept', { terminal_id: 'phone' })).body.code).toBe(0);
    });
  });

  describe.each([
    ['reject', 'callee', 'ringing', 'rejected', 'user_reject'],
    ['cancel', 'caller', 'ringing', 'cancelled', 'caller_cancel'],
    ['hangup', 'callee', 'ongoing', 'ended', 'local_hangup'],
  ] as const)('POST /api/calls/{callId}/%s', (act, who, stage, status, reason) => {
    it('answers the status object of API 5.4 with the default reason', async () => {
      const fixture = await createCall(test.api, stage);
      const { version } = await fixture.record();
      const response = await fixture.perform(fixture[who], act, {});
      expect(response.body).toEqual({
        code: 0,
        message: '操作成功',
        data: { call_id: fixture.id, status, end_reason: reason, version: version + 1 },
      });
    });

    it('stores the given reason, and keeps the first end', async () => {
      const fixture = await createCall(test.api, stage);
      await fixture.perform(fixture[who], act, { reason: '在开会 🙂', terminal_id: 'phone' });
      test.clock.advance(5);
      const again = await fixture.perform(fixture[who], act, { reason: 'another' });
      expect(again.body.data).toMatchObject({ status, end_reason: '在开会 🙂' });
      expect(await fixture.record()).toMatchObject({
        end_reason: '在开会 🙂',
        ended_by: who === 'caller' ? fixture.callerId : fixture.calleeId,
        ended_at: '2026-01-31T08:00:00.000Z',
      });
    });

    it.each([
      [{ reason: 'x'.repeat(51) }, 'reason 长度不能超过 50 个字符'],
      [{ reason: 5 }, 'reason 必须是字符串'],
      [{ terminal_id: 'x'.repeat(65), reason: 5 }, 'terminal_id 长度不能超过 64 个字符'],
    ])('rejects %j', async (body, message) => {
      const fixture = await createCall(test.api, stage);
      const response = await fixture.perform(fixture[who], act, body);
      expect(response.body).toEqual({ code: 422, message, data: null });
      expect((await fixture.record()).status).toBe(stage);
    });
  });

  describe('Order of checks', () => {
    it('is token, path, body, call', async () => {
      const user = await test.api.as({ id: 1 });
      const body = { terminal_id: 'x'.repeat(65) };
      expect((await test.api.post('/api/calls/abc/accept', body)).body.message).toBe('未授权');
      expect((await user.post('/api/calls/abc/accept', body)).body.message).toBe('callId 必须是整数');
      expect((await user.post('/api/calls/999999999/accept', body)).body.message).toBe(
        'terminal_id 长度不能超过 64 个字符',
      );
      expect((await user.post('/api/calls/999999999/accept', {})).body.message).toBe('通话不存在');
    });

    it.each(['0', '-1', '1.5', 'abc', '9007199254740992', '1'.repeat(200), '%20', '1e3', '0x10', '٣'])(
      'treats %s as an invalid id',
      async (id) => {
        const user = await test.api.as({ id: 1 });
        const response = await user.post(`/api/calls/${encodeURI(decodeURI(id))}/accept`);
        expect(response.body).toEqual({ code: 422, message: 'callId 必须是整数', data: null });
      },
    );
  });
});
