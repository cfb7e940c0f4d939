import type { ApiClient } from '../support/api-client';
import { createCall, type CallFixture } from '../support/calls';
import { createTestApp, START, type TestApp } from '../support/test-app';

const CALLS = '/api/admin/calls';

describe('Calls in the admin panel', () => {
  let test: TestApp;
  let admin: ApiClient;
  beforeAll(async () => {
    test = await createTestApp();
    admin = await test.api.as({ id: 1, role: 'admin' });
  });
  beforeEach(() => test.clock.set(START));
  afterAll(() => test?.close());

  const end = async ({ id }: CallFixture, body?: object) =>
    (await admin.post(`${CALLS}/${id}/end`, body)).body;
  const detail = async ({ id }: CallFixture) => (await admin.get(`${CALLS}/${id}`)).body.data;
  const lastEvents = async (api: ApiClient, count: number): Promise<string[]> => {
    const { items } = (await api.get('/api/events/poll?limit=500')).body.data;
    return items.slice(-count).map(({ type }: { type: string }) => type);
  };

  it('are returned independently of a side, with their terminals and history', async () => {
    const call = await createCall(test.api, 'accepted', { media_type: 'video' });
    test.clock.advance(5);
    const report = { terminal_id: 'phone', stage: 'joined', network_quality: 'good' };
    await call.perform(call.callee, 'media-state', report);
    test.clock.advance(5);
    await call.perform(call.caller, 'media-state', { stage: 'left' });
    await call.perform(call.caller, 'hangup');
    const record = await call.record();
    const { direction: _, server_time: __, ...shared } = record;
    expect(await detail(call)).toEqual({
      ...shared,
      missed: false,
      duration: 10,
      terminals: [
        {
          user_id: call.calleeId,
          terminal_id: 'phone',
          stage: 'joined',
          network_quality: 'good',
          reported_at: '2026-01-31T08:00:05.000Z',
        },
        {
          user_id: call.callerId,
          terminal_id: '',
          stage: 'left',
          network_quality: null,
          reported_at: '2026-01-31T08:00:10.000Z',
        },
      ],
      timeline: [
        { at: '2026-01-31T08:00:00.000Z', event: 'created', user_id: call.callerId },
        { at: '2026-01-31T08:00:00.000Z', event: 'accepted', user_id: call.calleeId },
        { at: '2026-01-31T08:00:05.000Z', event: 'started', user_id: null },
        { at: '2026-01-31T08:00:10.000Z', event: 'ended', user_id: call.callerId },
      ],
    });
  });

  it('are shown as ended after their deadline', async () => {
    const call = await createCall(test.api);
    test.clock.advance(61);
    expect(await detail(call)).toMatchObject({ status: 'ended', end_reason: 'no_answer', missed: true });
  });

  it('are ended for both users, without an ending user, with the reason', async () => {
    const call = await createCall(test.api, 'ongoing');
    test.clock.advance(7);
    const response = await end(call, { reason: 'abuse' });
    expect(response).toMatchObject({ code: 0, message: '操作成功' });
    expect(response.data).toMatchObject({
      call_id: call.id,
      status: 'ended',
      end_reason: 'abuse',
      ended_by: null,
      ended_at: '2026-01-31T08:00:07.000Z',
      duration: 7,
      missed: false,
    });
    expect(response.data).not.toHaveProperty('direction');
    expect(await call.record()).toMatchObject({ status: 'ended', end_reason: 'abuse', ended_by: null });
    for (const user of [call.caller, call.callee]) {
      expect(await lastEvents(user, 1)).toEqual(['call.ended']);
      expect((await user.get('/api/calls/active')).body.data).toBeNull();
    }
  });

  it('are missed when they were ringing, with one notification', async () => {
    const call = await createCall(test.api);
    expect((await end(call)).data).toMatchObject({ status: 'ended', end_reason: 'admin_end', missed: true });
    expect(await lastEvents(call.caller, 1)).toEqual(['call.ended']);
    expect(await lastEvents(call.callee, 3)).toEqual(['call.ended', 'call.missed', 'notification.created']);
    expect((await call.callee.get('/api/calls?missed=1')).body.data.items).toMatchObject([
      { call_id: call.id },
    ]);
    expect((await call.perform(call.callee, 'accept')).body.code).toBe(41007);
  });

  it.each(['rejected', 'cancelled', 'ended'] as const)('are unchanged when they were %s', async (stage) => {
    const call = await createCall(test.api, stage);
    const { terminals: _, timeline: __, ...before } = await detail(call);
    test.clock.advance(5);
    expect((await end(call, { reason: 'late' })).data).toEqual(before);
    expect(await lastEvents(call.caller, 1)).toEqual([`call.${stage}`]);
  });

  it('that ended as busy are not attempts with a busy callee', async () => {
    const call = await createCall(test.api, 'ringing', { request_id: 'r1' });
    test.clock.advance(1);
    await end(call, { reason: 'busy' });
    const again = await call.caller.post('/api/calls', { callee_id: call.calleeId, request_id: 'r1' });
    expect(again.body.data).toMatchObject({ call_id: call.id, status: 'ended', rtc_token: null });
  });

  it('end once when several requests end them concurrently', async () => {
    for (let round = 0; round < 10; round += 1) {
      const call = await createCall(test.api);
      const responses = await Promise.all([
        end(call, { reason: 'one' }),
        call.perform(call.callee, 'accept'),
        end(call, { reason: 'two' }),
        call.perform(call.caller, 'cancel'),
      ]);
      expect(responses[0]).toMatchObject({ code: 0 });
      expect(responses[2]).toMatchObject({ code: 0 });
      const { items } = (await call.caller.get('/api/events/poll?limit=500')).body.data;
      const ends = items.filter(({ type }: { type: string }) => /^call\.(ended|cancelled)$/.test(type));
      expect(ends).toHaveLength(1);
    }
  });

  it.each([
    [{ reason: 5 }, 'reason 必须是字符串'],
    [{ reason: 'x'.repeat(65) }, 'reason 长度不能超过 64 个字符'],
  ])('reject %j', async (body, message) => {
    const call = await createCall(test.api);
    expect(await end(call, body)).toEqual({ code: 422, message, data: null });
    expect((await end(call, { reason: '😀'.repeat(64) })).data.end_reason).toBe('😀'.repeat(64));
  });

  it('return 404 when they do not exist', async () => {
    const missing = { code: 404, message: '通话不存在', data: null };
    expect((await admin.get(`${CALLS}/999999999`)).body).toEqual(missing);
    expect((await admin.post(`${CALLS}/999999999/end`)).body).toEqual(missing);
    expect((await admin.get(`${CALLS}/x`)).body.message).toBe('callId 必须是整数');
  });
});
