import { DomainEventReader } from '../support/domain-events';
import type { ApiClient } from '../support/api-client';
import { createCall, type CallFixture, createUsers, newUserIds, type Stage } from '../support/calls';
import { createTestApp, START, type TestApp } from '../support/test-app';

const USERS = '/api/admin/users';

describe('Disabling a user who is in a call', () => {
  let test: TestApp;
  let other: TestApp;
  let admin: ApiClient;
  beforeAll(async () => {
    test = await createTestApp();
    other = await createTestApp({ database: test.database, clock: test.clock });
    admin = await test.api.as({ id: 1, role: 'admin' });
  });
  beforeEach(() => test.clock.set(START));
  afterAll(async () => {
    await other?.close();
    await test?.close();
  });

  const activeCall = async (api: ApiClient) => (await api.get('/api/calls/active')).body.data;
  const eventTypes = async (api: ApiClient): Promise<string[]> => {
    const { items } = (await api.get('/api/events/poll?limit=500')).body.data;
    return items.map(({ type }: { type: string }) => type);
  };

  const ways: Record<string, (id: number) => Promise<unknown>> = {
    'PUT /api/admin/users/{id}': (id) => admin.put(`${USERS}/${id}`, { status: 0 }),
    'PUT /api/admin/users/bulk': (id) => admin.put(`${USERS}/bulk`, { user_ids: [id], status: 0 }),
    'POST /api/admin/users/bulk': async (id) => {
      await admin.put(`${USERS}/${id}`, { external_id: `crm-${id}` });
      return admin.post(`${USERS}/bulk`, { users: [{ external_id: `crm-${id}`, status: 0 }] });
    },
  };
  type Participant = 'caller' | 'callee';
  const disable = (way: string, { callerId, calleeId }: CallFixture, who: Participant) =>
    ways[way]?.(who === 'caller' ? callerId : calleeId);

  it.each<[way: string, who: Participant, stage: Stage]>([
    ['PUT /api/admin/users/{id}', 'callee', 'ongoing'],
    ['PUT /api/admin/users/bulk', 'caller', 'accepted'],
    ['POST /api/admin/users/bulk', 'callee', 'accepted'],
  ])('by %s, as the %s, ends a call that is %s immediately', async (way, who, stage) => {
    const call = await createCall(test.api, stage);
    const peer = who === 'caller' ? call.callee : call.caller;
    test.clock.advance(7);
    await disable(way, call, who);
    expect(await activeCall(peer)).toBeNull();
    expect((await peer.get(`/api/calls/${call.id}`)).body.data).toMatchObject({
      status: 'ended',
      end_reason: 'user_disabled',
      ended_by: null,
      ended_at: '2026-01-31T08:00:07.000Z',
      duration: 7,
    });
    expect((await eventTypes(peer)).at(-1)).toBe('call.ended');
  });

  it('ends a ringing call as missed by its callee', async () => {
    const call = await createCall(test.api);
    await disable('PUT /api/admin/users/{id}', call, 'caller');
    expect((await eventTypes(call.callee)).slice(-3)).toEqual([
      'call.ended',
      'call.missed',
      'notification.created',
    ]);
    expect((await call.perform(call.callee, 'accept')).body.code).toBe(41007);
  });

  it('records a call.ended domain event', async () => {
    const call = await createCall(test.api, 'ongoing');
    const reader = await DomainEventReader.open(test, ['call.ended']);
    await disable('PUT /api/admin/users/{id}', call, 'callee');
    const events = await reader.all();
    expect(events.filter(({ subject }) => subject === `call:${call.id}`)).toMatchObject([
      { type: 'call.ended', payload: { call: { call_id: call.id, end_reason: 'user_disabled' } } },
    ]);
  });

  it('does not change calls of other users, or finished ones', async () => {
    const [going, over] = [await createCall(test.api, 'ongoing'), await createCall(test.api, 'ended')];
    await disable('PUT /api/admin/users/{id}', over, 'caller');
    expect(await activeCall(going.caller)).toMatchObject({ call_id: going.id });
    expect((await over.callee.get(`/api/calls/${over.id}`)).body.data.end_reason).toBe('local_hangup');
  });

  it('rejects the next call with 401 on an instance that has cached the token', async () => {
    const [callerId = 0, calleeId = 0] = newUserIds(2);
    const [caller] = (await createUsers(other.api, callerId, calleeId)) as [ApiClient];
    expect(await activeCall(caller)).toBeNull();
    await admin.put(`${USERS}/${callerId}`, { status: 0 });
    expect((await caller.post('/api/calls', { callee_id: calleeId })).body).toEqual({
      code: 401,
      message: '未授权',
      data: null,
    });
  });

  it('leaves no call when the user places one concurrently', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [callerId = 0, calleeId = 0] = newUserIds(2);
      const [caller, callee] = (await createUsers(other.api, callerId, calleeId)) as [ApiClient, ApiClient];
      expect(await activeCall(caller)).toBeNull();
      await Promise.all([
        caller.post('/api/calls', { callee_id: calleeId }),
        admin.put(`${USERS}/${callerId}`, { status: 0 }),
      ]);
      expect(await activeCall(callee)).toBeNull();
    }
  });
});
