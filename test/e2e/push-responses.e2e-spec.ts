import { newUserIds } from '../support/calls';
import { stopJobs } from '../support/jobs';
import { ChatUser, dataOf } from '../support/messaging';
import { pushAll, register, route, type Target } from '../support/push';
import { PushChat } from '../support/push-chat';
import type { PushProviders } from '../support/push-providers';
import { createTestApp, type TestApp } from '../support/test-app';
import { eventually } from '../support/waiting';
import { PushDispatcher } from '../../src/push/services/push-dispatcher';

describe('Responses of push providers', () => {
  let fixture: PushChat;
  let test: TestApp;
  let providers: PushProviders;
  let ann: ChatUser;
  let ben: ChatUser;
  let chat: number;
  beforeAll(async () => {
    fixture = await PushChat.open();
    ({ test, providers } = fixture);
  });
  beforeEach(async () => {
    await fixture.reset();
    ({ ann, ben, chat } = fixture);
  });
  afterAll(() => fixture?.close());

  const next = (seconds: number) => fixture.next(seconds);

  const usersWithBrowsers = async (users: number, browsers: number): Promise<ChatUser[]> => {
    const signedIn = await ChatUser.signInAll(test.api, newUserIds(users));
    for (const { id, api } of signedIn)
      for (let index = 0; index < browsers; index += 1) {
        const subscription = providers.subscribe(`${id}-${index}`);
        await register(api, { kind: 'webpush', terminal_id: `browser ${index}`, ...subscription });
      }
    return signedIn;
  };

  it('deletes a target whose token is unregistered, and tells its user', async () => {
    providers.replies.fcm = () => ({
      status: 404,
      body: { error: { status: 'NOT_FOUND', details: [{ errorCode: 'UNREGISTERED' }] } },
    });
    await ann.send(chat);
    await pushAll(test);
    expect(dataOf(await ben.api.get('/api/push/targets')).items).toEqual([]);
    expect(await ben.events('push.target_removed')).toMatchObject([
      { id: expect.any(Number), kind: 'fcm', terminal_id: 'phone', reason: 'UNREGISTERED' },
    ]);
  });

  it('keeps rejected targets, and tries them again after an hour', async () => {
    providers.replies.fcm = () => ({
      status: 403,
      body: { error: { details: [{ errorCode: 'SENDER_ID_MISMATCH' }] } },
    });
    await ann.send(chat);
    await pushAll(test);
    const targets = async () => dataOf(await ben.api.get('/api/push/targets')).items as Target[];
    expect(await targets()).toMatchObject([{ state: 'rejected', reason: 'SENDER_ID_MISMATCH' }]);
    await ann.send(chat);
    expect(await next(60)).toEqual([]);
    providers.replies.fcm = () => ({ status: 200 });
    await ann.send(chat);
    test.clock.advance(3_600);
    await ann.send(chat);
    expect(await next(0)).toHaveLength(1);
    expect(await targets()).toMatchObject([{ state: 'active', reason: null }]);
  });

  it('keeps a target whose former token is unregistered while a new one is registered, and pushes to it', async () => {
    const tokens: string[] = [];
    providers.replies.fcm = async ({ body }) => {
      tokens.push(body.message.token);
      if (body.message.token === 'new') return { status: 200 };
      await register(ben.api, { kind: 'fcm', token: 'new' });
      return {
        status: 404,
        body: { error: { status: 'NOT_FOUND', details: [{ errorCode: 'UNREGISTERED' }] } },
      };
    };
    await ann.send(chat);
    await pushAll(test);
    expect(dataOf(await ben.api.get('/api/push/targets')).items).toMatchObject([{ state: 'active' }]);
    expect(tokens).toEqual([`fcm-${ben.id}`, 'new']);
  });

  it('sends a message that arrived while the push of an earlier one was dropped', async () => {
    providers.replies.fcm = async ({ body }) => {
      if (body.message.data.body !== 'dropped') return { status: 200 };
      await ann.send(chat, 'newer');
      await route(test);
      return { status: 400 };
    };
    await ann.send(chat, 'dropped');
    await pushAll(test);
    expect(fixture.pushed()).toMatchObject([{ body: 'dropped' }, { body: 'newer' }]);
  });

  it('tries a rejected target once, although more pushes wait for it', async () => {
    providers.replies.fcm = () => ({
      status: 403,
      body: { error: { details: [{ errorCode: 'SENDER_ID_MISMATCH' }] } },
    });
    await ann.send(chat);
    for (const name of ['One', 'Two']) await ann.send(await ann.createGroup([ben.id], name));
    await pushAll(test);
    expect(providers.fcm).toHaveLength(1);
    expect(await test.query('SELECT rejections FROM push_targets')).toEqual([{ rejections: 1 }]);
  });

  it('honours Retry-After although a message is recalled', async () => {
    const { id } = await ann.send(chat, 'recalled');
    await ann.send(chat, 'newest');
    providers.replies.fcm = () => ({ status: 429, headers: { 'retry-after': '120' } });
    await pushAll(test);
    await ann.recall(id);
    expect(await next(119)).toEqual([]);
    expect(await next(1)).toMatchObject([{ body: 'newest' }]);
  });

  it('honours Retry-After, and drops a push after its time to live', async () => {
    providers.replies.fcm = () => ({ status: 429, headers: { 'retry-after': '120' } });
    await ann.send(chat);
    await pushAll(test);
    expect(await next(119)).toEqual([]);
    expect(await next(1)).toHaveLength(1);
    expect(await next(4 * 86_400)).toEqual([]);
    expect(await test.query('SELECT id FROM push_jobs')).toEqual([]);
  });

  it('requests a new access token when FCM rejects the old one', async () => {
    const issued = providers.tokensIssued;
    let isFirst = true;
    providers.replies.fcm = () => {
      const status = isFirst ? 401 : 200;
      isFirst = false;
      return { status };
    };
    await ann.send(chat);
    await pushAll(test);
    expect(providers.fcm).toHaveLength(2);
    expect(providers.tokensIssued).toBeGreaterThan(issued);
    expect(await next(1)).toEqual([]);
  });

  it('delays no responsive browser while the endpoints of other users do not respond', async () => {
    await register(ben.api, { kind: 'webpush', terminal_id: 'browser', ...providers.subscribe('ben') });
    await ann.send(chat, 'first');
    await pushAll(test);
    providers.clear();
    const others = await usersWithBrowsers(3, 20);
    const { promise: late, resolve } = Promise.withResolvers<{ status: number }>();
    providers.replies.webPush = ({ path }) => (path === '/web/ben' ? { status: 201 } : late);
    await ann.send(await ann.createGroup(others.map(({ id }) => id)));
    test.clock.advance(60);
    await ann.send(chat, 'second');
    await route(test);
    const sending = test.app.get(PushDispatcher).sendAll();
    const bodies = () => providers.webPush.filter(({ path }) => path === '/web/ben');
    while (bodies().length === 0) await new Promise(setImmediate);
    expect(bodies()[0]?.body.notification).toMatchObject({ body: 'second' });
    resolve({ status: 503 });
    await sending;
    expect(await test.query('SELECT user_id FROM push_targets WHERE responsive = 1')).toEqual([
      { user_id: ben.id },
    ]);
  });

  it.each<[string, (from: ChatUser) => Promise<unknown>]>([
    ['message', async (from) => from.send(await from.openSingle(ben.id))],
    ['ring', ({ api }) => api.post('/api/calls', { callee_id: ben.id, media_type: 'audio' })],
  ])('delays no %s to a new browser while the endpoints of other users do not respond', async (type, act) => {
    const others = await usersWithBrowsers(3, 20);
    for (const { id } of others) {
      const caller = await ChatUser.signIn(test.api, newUserIds(1)[0] ?? 0);
      if (type === 'ring') await caller.api.post('/api/calls', { callee_id: id, media_type: 'audio' });
      else for (let count = 0; count < 3; count += 1) await caller.send(await caller.createGroup([id]));
    }
    await route(test);
    test.clock.advance(1);
    await register(ben.api, { kind: 'webpush', terminal_id: 'browser', ...providers.subscribe('ben') });
    await act(ann);
    await route(test);
    const { promise: late, resolve } = Promise.withResolvers<{ status: number }>();
    providers.replies.webPush = ({ path }) => (path === '/web/ben' ? { status: 201 } : late);
    const waking = await createTestApp({ env: providers.env, database: test.database, clock: test.clock });
    try {
      await stopJobs(waking);
      waking.app.get(PushDispatcher).wake();
      const pushed = await eventually(
        async () => providers.webPush.map(({ path }) => path),
        (paths) => paths.includes('/web/ben'),
      );
      // The lane has 50 slots.
      expect(pushed.indexOf('/web/ben')).toBeLessThan(50);
    } finally {
      resolve({ status: 201 });
      await waking.close();
    }
  });

  it('moves the pushes of an endpoint that ceases to respond, until it accepts one', async () => {
    const lanes = () => test.query('SELECT lane FROM push_jobs WHERE lane IN (6, 7, 10, 11)');
    await register(ben.api, { kind: 'webpush', terminal_id: 'browser', ...providers.subscribe('ben') });
    await ann.send(chat);
    await pushAll(test);
    expect(await lanes()).toEqual([{ lane: 7 }]);
    const group = await ann.createGroup([ben.id]);
    await ann.send(group);
    await route(test);
    expect(await lanes()).toEqual([{ lane: 7 }, { lane: 7 }]);
    providers.replies.webPush = () => ({ status: 503 });
    await test.app.get(PushDispatcher).sendAll();
    expect(await lanes()).toEqual([{ lane: 11 }, { lane: 11 }]);
    providers.replies.webPush = () => ({ status: 201 });
    await next(5);
    expect(await lanes()).toEqual([{ lane: 7 }, { lane: 7 }]);
  });

  it.each<[string, () => { status: number }]>([
    ['rejects a push', () => ({ status: 403 })],
    ['drops a push', () => ({ status: 400 })],
    [
      'accepts a push after more than two seconds',
      () => {
        test.clock.advance(3);
        return { status: 201 };
      },
    ],
  ])('takes an endpoint for unresponsive that %s', async (_, reply) => {
    const responsive = () => test.query("SELECT responsive FROM push_targets WHERE kind = 'webpush'");
    await register(ben.api, { kind: 'webpush', terminal_id: 'browser', ...providers.subscribe('ben') });
    await ann.send(chat);
    await pushAll(test);
    expect(await responsive()).toEqual([{ responsive: 1 }]);
    providers.replies.webPush = reply;
    await ann.send(chat);
    await next(5);
    expect(await responsive()).toEqual([{ responsive: 0 }]);
  });

  it('reports the last success and the last error of each kind, and a provider that fails five times as down', async () => {
    const admin = await test.api.as({ id: 1, role: 'admin' });
    const healthOf = async (name: string) =>
      ((await admin.get('/api/admin/health')).body.data.items as { name: string }[]).find(
        (item) => item.name === name,
      );
    // After the pushes of the other tests.
    test.clock.advance(3_600);
    const at = (seconds: string): string => `2026-01-31T09:00:${seconds}.000Z`;
    await ann.send(chat);
    await pushAll(test);
    expect(await healthOf('push')).toMatchObject({ status: 'up', last_success_at: at('00') });
    await register(ben.api, { kind: 'webpush', terminal_id: 'browser', ...providers.subscribe('ben') });
    for (const kind of ['fcm', 'webPush'] as const) providers.replies[kind] = () => ({ status: 400 });
    for (let failures = 0; failures < 5; failures += 1) {
      expect(await healthOf('push_fcm')).toMatchObject({ status: 'up', last_success_at: at('00') });
      await ann.send(chat);
      await next(5);
    }
    expect(await healthOf('push_fcm')).toEqual({
      name: 'push_fcm',
      status: 'down',
      last_success_at: at('00'),
      last_error: 'dropped: status 400',
      last_error_at: at('25'),
    });
    expect(await healthOf('push_webpush')).toMatchObject({ status: 'up', last_error_at: at('25') });
    expect(await healthOf('push_apns')).toMatchObject({ status: 'off', last_success_at: null });
    providers.replies.fcm = () => ({ status: 200 });
    await ann.send(chat);
    await next(5);
    expect(await healthOf('push_fcm')).toMatchObject({
      status: 'up',
      last_success_at: at('30'),
    });
  });

  it('delays no other provider while one does not respond', async () => {
    await register(ben.api, { kind: 'gateway', token: 'g', provider: 'huawei', terminal_id: 'other' });
    const { promise: late, resolve } = Promise.withResolvers<{ status: number }>();
    providers.replies.fcm = () => late;
    await ann.send(chat, 'past it');
    await route(test);
    const sending = test.app.get(PushDispatcher).sendAll();
    while (providers.gateway.length === 0) await new Promise(setImmediate);
    expect(providers.gateway[0]?.body).toMatchObject({ title: 'Ann', body: 'past it' });
    resolve({ status: 200 });
    await sending;
  });
});
