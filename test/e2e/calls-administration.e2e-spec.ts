import type { ApiClient } from '../support/api-client';
import { aCall, type CallScene } from '../support/calls';
import { createTestApp, START, type TestApp } from '../support/test-app';

const CALLS = '/api/admin/calls';

describe('Calls, for administrators', () => {
  let test: TestApp;
  let admin: ApiClient;
  beforeAll(async () => {
    test = await createTestApp();
    admin = await test.api.as({ id: 1, role: 'admin' });
  });
  beforeEach(() => test.clock.set(START));
  afterAll(() => test?.close());

  const end = async ({ id }: CallScene, body?: object) => (await admin.post(`${CALLS}/${id}/end`, body)).body;
  const detail = async ({ id }: CallScene) => (await admin.get(`${CALLS}/${id}`)).body.data;
  const lastEvents = async (api: ApiClient, count: number): Promise<string[]> => {
    const { items } = (await api.get('/api/events/poll?limit=500')).body.data;
    return items.slice(-count).map(({ type }: { type: string }) => type);
  };

  it('are shown from neither side, with their terminals and what happened in them', async () => {
    const call = await aCall(test.api, 'accepted', { media_type: 'video' });
    test.clock.advance(5);
    const report = { terminal_id: 'phone', stage: 'joined', network_quality: 'good' };
    await call.act(call.callee, 'media-state', report);
    test.clock.advance(5);
    await call.act(call.caller, 'media-state', { stage: 'left' });
    await call.act(call.caller, 'hangup');
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

  it('that have outlived their deadline are shown as over', async () => {
    const call = await aCall(test.api);
    test.clock.advance(61);
    expect(await detail(call)).toMatchObject({ status: 'ended', end_reason: 'no_answer', missed: true });
  });

  it('that go on are ended for both, by nobody, with the reason', async () => {
    const call = await aCall(test.api, 'ongoing');
    test.clock.advance(7);
    const answer = await end(call, { reason: 'abuse' });
    expect(answer).toMatchObject({ code: 0, message: '操作成功' });
    expect(answer.data).toMatchObject({
      call_id: call.id,
      status: 'ended',
      end_reason: 'abuse',
      ended_by: null,
      ended_at: '2026-01-31T08:00:07.000Z',
      duration: 7,
      missed: false,
    });
    expect(answer.data).not.toHaveProperty('direction');
    expect(await call.record()).toMatchObject({ status: 'ended', end_reason: 'abuse', ended_by: null });
    for (const user of [call.caller, call.callee]) {
      expect(await lastEvents(user, 1)).toEqual(['call.ended']);
      expect((await user.get('/api/calls/active')).body.data).toBeNull();
    }
  });

  it('that ring are missed then, with one notification', async () => {
    const call = await aCall(test.api);
    expect((await end(call)).data).toMatchObject({ status: 'ended', end_reason: 'admin_end', missed: true });
    expect(await lastEvents(call.caller, 1)).toEqual(['call.ended']);
    expect(await lastEvents(call.callee, 3)).toEqual(['call.ended', 'call.missed', 'notification.created']);
    expect((await call.callee.get('/api/calls?missed=1')).body.data.items).toMatchObject([
      { call_id: call.id },
    ]);
    expect((await call.act(call.callee, 'accept')).body.code).toBe(41007);
  });

  it.each(['rejected', 'cancelled', 'ended'] as const)('that were %s stay as they are', async (stage) => {
    const call = await aCall(test.api, stage);
    const { terminals: _, timeline: __, ...before } = await detail(call);
    test.clock.advance(5);
    expect((await end(call, { reason: 'late' })).data).toEqual(before);
    expect(await lastEvents(call.caller, 1)).toEqual([`call.${stage}`]);
  });

  it('that were ended as busy are no attempts that found the callee busy', async () => {
    const call = await aCall(test.api, 'ringing', { request_id: 'r1' });
    test.clock.advance(1);
    await end(call, { reason: 'busy' });
    const again = await call.caller.post('/api/calls', { callee_id: call.calleeId, request_id: 'r1' });
    expect(again.body.data).toMatchObject({ call_id: call.id, status: 'ended', rtc_token: null });
  });

  it('are ended once, whoever acts at the same time', async () => {
    for (let round = 0; round < 10; round += 1) {
      const call = await aCall(test.api);
      const answers = await Promise.all([
        end(call, { reason: 'one' }),
        call.act(call.callee, 'accept'),
        end(call, { reason: 'two' }),
        call.act(call.caller, 'cancel'),
      ]);
      expect(answers[0]).toMatchObject({ code: 0 });
      expect(answers[2]).toMatchObject({ code: 0 });
      const { items } = (await call.caller.get('/api/events/poll?limit=500')).body.data;
      const ends = items.filter(({ type }: { type: string }) => /^call\.(ended|cancelled)$/.test(type));
      expect(ends).toHaveLength(1);
    }
  });

  it.each([
    [{ reason: 5 }, 'reason 必须是字符串'],
    [{ reason: 'x'.repeat(65) }, 'reason 长度不能超过 64 个字符'],
  ])('are not ended with %j', async (body, message) => {
    const call = await aCall(test.api);
    expect(await end(call, body)).toEqual({ code: 422, message, data: null });
    expect((await end(call, { reason: '😀'.repeat(64) })).data.end_reason).toBe('😀'.repeat(64));
  });

  it('that do not exist are a 404', async () => {
    const missing = { code: 404, message: '通话不存在', data: null };
    expect((await admin.get(`${CALLS}/999999999`)).body).toEqual(missing);
    expect((await admin.post(`${CALLS}/999999999/end`)).body).toEqual(missing);
    expect((await admin.get(`${CALLS}/x`)).body.message).toBe('callId 必须是整数');
  });
});
