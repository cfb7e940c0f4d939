import type { ApiClient } from '../support/api-client';
import { newUserIds } from '../support/calls';
import { dataOf } from '../support/messaging';
import { holdPushes, pushAll, register, route } from '../support/push';
import { PushProviders } from '../support/push-providers';
import { createTestApp, START, type TestApp } from '../support/test-app';
import { testUser } from '../support/users';

/** An iPhone with both kinds of APNs targets, and an Android phone. */
const PHONES = [
  { kind: 'apns_voip', token: 'voip', terminal_id: 'iphone' },
  { kind: 'apns', token: 'alert', terminal_id: 'iphone' },
  { kind: 'fcm', token: 'android', terminal_id: 'android' },
];

describe('Pushes of calls', () => {
  let test: TestApp;
  let providers: PushProviders;
  let caller: ApiClient;
  let callee: ApiClient;
  let calleeId: number;
  beforeAll(async () => {
    providers = await PushProviders.open();
    test = await createTestApp({ env: providers.env });
    await holdPushes(test);
  });
  beforeEach(async () => {
    test.clock.set(START);
    for (const table of ['push_jobs', 'push_targets']) await test.query(`DELETE FROM ${table}`);
    const [callerId = 0, id = 0] = newUserIds(2);
    calleeId = id;
    caller = await testUser(test.api, { id: callerId, name: 'Ann' });
    callee = await testUser(test.api, { id: calleeId });
    for (const phone of PHONES) await register(callee, phone);
    await register(callee, { kind: 'webpush', terminal_id: 'browser', ...providers.subscribe('browser') });
    providers.clear();
    providers.replies = {
      apns: () => ({ status: 200 }),
      fcm: () => ({ status: 200 }),
      webPush: () => ({ status: 201 }),
      gateway: () => ({ status: 204 }),
    };
  });
  afterAll(async () => {
    await test?.close();
    await providers?.close();
  });

  const place = async (): Promise<number> =>
    dataOf(await caller.post('/api/calls', { callee_id: calleeId, media_type: 'video' })).call_id as number;
  const types = (): string[] =>
    [
      ...providers.apns.map(({ path, body }) => `${path.slice(10)} ${body.callboard.type}`),
      ...providers.fcm.map(({ body }) => `fcm ${body.message.data.type}`),
      ...providers.webPush.map(({ body }) => `web ${body.callboard.type}`),
    ].toSorted();
  const jobs = () => test.query('SELECT topic FROM push_jobs');

  it('rings every terminal of the callee, by VoIP instead of the alert, until the call expires', async () => {
    const id = await place();
    await pushAll(test);
    expect(types()).toEqual(['fcm call.ringing', 'voip call.ringing', 'web call.ringing']);
    const [ring] = providers.apns;
    expect(ring?.headers).toMatchObject({
      'apns-topic': 'com.example.app.voip',
      'apns-push-type': 'voip',
      'apns-priority': '10',
      'apns-collapse-id': `call:${id}`,
      'apns-expiration': String(Date.parse(START) / 1000 + 60),
    });
    expect(ring?.body.callboard).toMatchObject({
      type: 'call.ringing',
      call_id: id,
      call_uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      media_type: 'video',
      caller: { name: 'Ann' },
      ring_expires_at: '2026-01-31T08:01:00.000Z',
      user_id: calleeId,
      rev: 1,
    });
    expect(providers.fcm[0]?.body.message).toMatchObject({
      android: { priority: 'HIGH', ttl: '60s', collapse_key: `call:${id}` },
      data: { title: 'Ann', body: '视频来电' },
    });
    expect(providers.webPush[0]?.headers).toMatchObject({ ttl: '60', urgency: 'high' });
    expect(providers.webPush[0]?.body.notification).toMatchObject({ tag: `call:${id}`, title: 'Ann' });
    providers.clear();
    await pushAll(test);
    expect(types()).toEqual([]);
  });

  it('rings by the alert when the session of the VoIP target is over', async () => {
    await test.query(`UPDATE push_targets SET session_id = 'gone' WHERE kind = 'apns_voip'`);
    await place();
    await pushAll(test);
    expect(types()).toEqual(['alert call.ringing', 'fcm call.ringing', 'web call.ringing']);
  });

  it('ends the ring where it was sent, on the iPhone by an alert, except on the terminal that answered', async () => {
    const id = await place();
    await pushAll(test);
    providers.clear();
    await callee.post(`/api/calls/${id}/accept`, { terminal_id: 'android' });
    await pushAll(test);
    expect(types()).toEqual(['alert call.over', 'web call.over']);
    expect(providers.apns[0]?.body.callboard.reason).toBe('answered_elsewhere');
    expect(providers.apns[0]?.headers).toMatchObject({
      'apns-push-type': 'background',
      'apns-priority': '5',
    });
    providers.clear();
    await caller.post(`/api/calls/${id}/hangup`, {});
    await pushAll(test);
    expect(types()).toEqual([]);
  });

  it('does not tell the terminal that declined the call', async () => {
    const id = await place();
    await pushAll(test);
    providers.clear();
    await callee.post(`/api/calls/${id}/reject`, { terminal_id: 'android' });
    await pushAll(test);
    expect(types()).toEqual(['alert call.over', 'web call.over']);
    expect(providers.webPush[0]?.body.callboard.reason).toBe('declined_elsewhere');
  });

  it('sends nothing of a call that was cancelled before its ring was sent', async () => {
    const id = await place();
    await route(test);
    await caller.post(`/api/calls/${id}/cancel`, {});
    await pushAll(test);
    // The cancelled call is missed, which is a notification.
    expect(types().filter((type) => type.includes('call.'))).toEqual([]);
  });

  it('sends the end of a call that was cancelled while its ring was in flight', async () => {
    const id = await place();
    // Only the ring fails: the end may be routed, and sent, while the ring is still in flight.
    providers.replies.fcm = async ({ body }) => {
      if (body.message.data.type !== 'call.ringing') return { status: 200 };
      await caller.post(`/api/calls/${id}/cancel`, {});
      return { status: 503 };
    };
    providers.replies.webPush = ({ body }) => ({
      status: body.callboard.type === 'call.ringing' ? 503 : 201,
    });
    await pushAll(test);
    test.clock.advance(2);
    await pushAll(test);
    expect(types().filter((type) => type.includes('call.over'))).toEqual([
      'alert call.over',
      'fcm call.over',
      'web call.over',
    ]);
    const over = providers.fcm.find(({ body }) => body.message.data.type === 'call.over');
    expect(over?.body.message.data.reason).toBe('caller_cancel');
  });

  it.each([
    [1, 'HIGH'],
    [1.001, 'NORMAL'],
  ])('sends the end of a ring by FCM %d s after the ring with priority %s', async (seconds, priority) => {
    const id = await place();
    await pushAll(test);
    providers.clear();
    test.clock.advance(seconds);
    await callee.post(`/api/calls/${id}/reject`, {});
    await pushAll(test);
    const over = providers.fcm.find(({ body }) => body.message.data.type === 'call.over');
    expect(over?.body.message).toMatchObject({
      android: { priority },
      data: { reason: 'declined_elsewhere', silent: 'true' },
    });
  });

  it('repeats a ring that failed, with the same collapse id, and not after it expired', async () => {
    const id = await place();
    providers.replies.fcm = () => ({ status: 503 });
    await pushAll(test);
    expect(providers.fcm).toHaveLength(1);
    test.clock.advance(0.5);
    await pushAll(test);
    expect(providers.fcm.map(({ body }) => body.message.android.collapse_key)).toEqual([
      `call:${id}`,
      `call:${id}`,
    ]);
    test.clock.advance(200);
    providers.clear();
    await pushAll(test);
    expect(providers.fcm).toEqual([]);
  });

  it('sends nothing to a disabled user, and nothing after the log-out of the terminal', async () => {
    await test.query(`UPDATE push_targets SET session_id = 'gone' WHERE kind <> 'fcm'`);
    await place();
    await pushAll(test);
    expect(types()).toEqual(['fcm call.ringing']);
    providers.clear();
    await test.query(`UPDATE push_targets SET session_id = NULL`);
    await test.query(`UPDATE users SET status = 0 WHERE id = ${calleeId}`);
    await test.query('UPDATE push_jobs SET due_at = caused_at, shown = 0, sent_rev = 0, claim = NULL');
    await pushAll(test);
    expect(types()).toEqual([]);
    expect(await jobs()).toEqual([]);
  });
});
