import { newUserIds } from '../support/calls';
import { ChatUser, dataOf } from '../support/messaging';
import { stopJobs } from '../support/jobs';
import { eventually } from '../support/waiting';
import { statementsOf } from '../support/statements';
import { holdPushes, pushAll, register, route, type Target } from '../support/push';
import { PushProviders } from '../support/push-providers';
import { createTestApp, START, type TestApp } from '../support/test-app';
import { Transactions } from '../../src/database/transactions';
import { laneOf } from '../../src/push/rules/push-lanes.rules';
import { PushDispatcher } from '../../src/push/services/push-dispatcher';
import { PushRetention } from '../../src/push/services/push-retention.job';
import { claimJobs, dueJobs } from '../../src/push/store/push-claim.store';

describe('Pushes of two instances', () => {
  let here: TestApp;
  let there: TestApp;
  let providers: PushProviders;
  beforeAll(async () => {
    providers = await PushProviders.open();
    here = await createTestApp({ env: providers.env });
    there = await createTestApp({ env: providers.env, database: here.database, clock: here.clock });
    await holdPushes(here, there);
  });
  beforeEach(async () => {
    here.clock.set(START);
    for (const table of ['push_jobs', 'push_targets']) await here.query(`DELETE FROM ${table}`);
    providers.clear();
    providers.replies.apns = () => ({ status: 200 });
    providers.replies.fcm = () => ({ status: 200 });
  });
  afterAll(async () => {
    await there?.close();
    await here?.close();
    await providers?.close();
  });

  const sendBoth = () => Promise.all([here, there].map(({ app }) => app.get(PushDispatcher).sendAll()));
  const usersWithPhones = async (count: number, kind = 'fcm'): Promise<ChatUser[]> => {
    const users = await ChatUser.signInAll(here.api, newUserIds(count));
    for (const { id, api } of users) await register(api, { kind, token: `${kind}-${id}` });
    return users;
  };

  const broadcast = async (): Promise<void> => {
    const admin = await here.api.as({ id: 1, role: 'admin' });
    const body = { broadcast: true, type: 'news', title: 'To all', content: '.' };
    await admin.post('/api/admin/notifications', body);
    await route(here);
  };
  const reachedIds = (): number[] =>
    providers.fcm.map(({ body }) => Number(body.message.data.user_id)).toSorted((a, b) => a - b);

  it('send each push once', async () => {
    const users = await usersWithPhones(30);
    await broadcast();
    await route(there);
    await sendBoth();
    expect(reachedIds()).toEqual(users.map(({ id }) => id));
  });

  it('send all due pushes without a sweep when they are more than the slots of an instance', async () => {
    const users = await usersWithPhones(120);
    await broadcast();
    const waking = await createTestApp({ env: providers.env, database: here.database, clock: here.clock });
    try {
      await stopJobs(waking);
      waking.app.get(PushDispatcher).wake();
      await eventually(
        async () => providers.fcm.length,
        (length) => length >= users.length,
      );
    } finally {
      await waking.close();
    }
    expect(reachedIds()).toEqual(users.map(({ id }) => id));
  });

  it('send rings, and no other pushes, during the pause after pushes', async () => {
    const users = await usersWithPhones(55);
    const [caller, callee] = users as [ChatUser, ChatUser];
    await broadcast();
    const waking = await createTestApp({ env: providers.env, database: here.database, clock: here.clock });
    // No pause of the dispatcher ends while this clock does not advance.
    const elapsed = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    const fcmTypes = async (): Promise<string[]> => providers.fcm.map(({ body }) => body.message.data.type);
    try {
      await stopJobs(waking);
      waking.app.get(PushDispatcher).wake();
      await eventually(fcmTypes, ({ length }) => length >= 50);
      await caller.api.post('/api/calls', { callee_id: callee.id, media_type: 'video' });
      await route(here);
      waking.app.get(PushDispatcher).wake();
      await eventually(fcmTypes, (types) => types.includes('call.ringing'));
      expect((await fcmTypes()).filter((type) => type !== 'call.ringing')).toHaveLength(50);
      elapsed.mockRestore();
      waking.app.get(PushDispatcher).wake();
      await eventually(fcmTypes, ({ length }) => length >= users.length + 1);
    } finally {
      elapsed.mockRestore();
      await waking.close();
    }
  });

  it('send the badges of a target in order, each the sum of both counts, while the user reads', async () => {
    const [ann, ben] = (await usersWithPhones(2)) as [ChatUser, ChatUser];
    const groups = await Promise.all(Array.from({ length: 6 }, () => ann.createGroup([ben.id])));
    for (const group of groups) await ann.send(group);
    await Promise.all([route(here), route(there)]);
    await Promise.all([sendBoth(), ...groups.slice(0, 3).map((group) => ben.read(group))]);
    for (let round = 0; round < 3; round += 1) {
      here.clock.advance(60);
      await Promise.all([route(here), route(there)]);
      await sendBoth();
    }
    const badges = providers.fcm
      .filter(({ body }) => body.message.data.user_id === String(ben.id))
      .map(({ body }) => Number(body.message.data.badge));
    expect(badges.at(-1)).toBe(await ben.unreadTotal());
  });

  it('have one push with a badge in flight per target', async () => {
    const [ann, ben] = (await usersWithPhones(2)) as [ChatUser, ChatUser];
    const groups = await Promise.all(Array.from({ length: 4 }, () => ann.createGroup([ben.id])));
    for (const group of groups) await ann.send(group);
    let inFlight = 0;
    let most = 0;
    providers.replies.fcm = () => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      setImmediate(() => (inFlight -= 1));
      return { status: 200 };
    };
    await route(here);
    await sendBoth();
    await sendBoth();
    expect(most).toBe(1);
    expect(providers.fcm).toHaveLength(4);
  });

  it('delete no target in a storm of BadDeviceToken, nor for a 410 that is older than the registration', async () => {
    const users = await usersWithPhones(20, 'apns');
    const timestamp = Date.parse(START) - 1;
    let count = 0;
    providers.replies.apns = () => {
      count += 1;
      return count % 2 === 0
        ? { status: 400, body: { reason: 'BadDeviceToken' } }
        : { status: 410, body: { reason: 'Unregistered', timestamp } };
    };
    const admin = await here.api.as({ id: 1, role: 'admin' });
    await admin.post('/api/admin/notifications', {
      broadcast: true,
      type: 'news',
      title: 'Storm',
      content: '.',
    });
    await route(here);
    await route(there);
    await sendBoth();
    const targets = await Promise.all(
      users.map(async ({ api }) => (dataOf(await api.get('/api/push/targets')).items as Target[])[0]),
    );
    expect(targets.map((target) => String(target?.state)).toSorted()).toEqual([
      ...Array.from({ length: 10 }, () => 'active'),
      ...Array.from({ length: 10 }, () => 'rejected'),
    ]);
  });

  it('leave a target free when another one has sent its push meanwhile', async () => {
    const [ann, ben] = (await usersWithPhones(2)) as [ChatUser, ChatUser];
    await ann.send(await ann.openSingle(ben.id));
    await route(here);
    const transactions = here.app.get(Transactions);
    const now = new Date(START);
    const { due } = await dueJobs(
      transactions.read(),
      new Map([[laneOf({ kind: 'fcm', responsive: false }, false), { free: 50, userIds: [] }]]),
      now,
    );
    await there.app.get(PushDispatcher).sendAll();
    const claiming = { claim: 'late', now, until: new Date(now.getTime() + 30_000) };
    expect(due).toHaveLength(1);
    expect(await transactions.run((em) => claimJobs(em, due, claiming))).toEqual([]);
    expect(await here.query('SELECT id FROM push_targets WHERE busy_claim IS NOT NULL')).toEqual([]);
  });

  it('send a push again when the lease of a dead instance has ended', async () => {
    const [ann, ben] = (await usersWithPhones(2)) as [ChatUser, ChatUser];
    const chat = await ann.openSingle(ben.id);
    await ann.send(chat);
    await route(here);
    // The state after an instance was killed with a claim.
    const until = new Date(Date.parse(START) + 30_000).toISOString().replace('T', ' ').replace('Z', '');
    await here.query(`UPDATE push_targets SET busy_until = '${until}', busy_claim = 'dead'`);
    await sendBoth();
    expect(providers.fcm).toEqual([]);
    here.clock.advance(30);
    await sendBoth();
    expect(providers.fcm).toHaveLength(1);
  });

  it('record no result of a push that another one has claimed meanwhile', async () => {
    const [ann, ben] = (await usersWithPhones(2)) as [ChatUser, ChatUser];
    await ann.send(await ann.openSingle(ben.id));
    await route(here);
    providers.replies.fcm = async () => {
      await here.query("UPDATE push_targets SET busy_claim = 'other' WHERE busy_claim IS NOT NULL");
      return { status: 200 };
    };
    await here.app.get(PushDispatcher).sendAll();
    expect(providers.fcm).toHaveLength(1);
    expect(await here.query('SELECT rev, sent_rev FROM push_jobs')).toEqual([{ rev: 1, sent_rev: 0 }]);
    expect(await here.query('SELECT busy_claim FROM push_targets WHERE busy_claim IS NOT NULL')).toEqual([
      { busy_claim: 'other' },
    ]);
  });

  it('need fewer than five statements per push, also if every result arrives alone', async () => {
    const users = await usersWithPhones(40);
    const admin = await here.api.as({ id: 1, role: 'admin' });
    await admin.post('/api/admin/notifications', {
      broadcast: true,
      type: 'news',
      title: 'Many',
      content: '.',
    });
    await route(here);
    const statements = await statementsOf(here, () => here.app.get(PushDispatcher).sendAll());
    expect(providers.fcm).toHaveLength(users.length);
    expect(statements.length).toBeLessThan(5 * users.length);
  });
});

describe('Without a provider', () => {
  it('there is no consumer of domain events, so that sends cost no statement more', async () => {
    const test = await createTestApp();
    expect(await test.query(`SELECT name FROM domain_event_positions WHERE name = 'push'`)).toEqual([]);
    const ann = await ChatUser.signIn(test.api, 5);
    await ChatUser.signIn(test.api, 6);
    const chat = await ann.openSingle(6);
    await ann.send(chat);
    await pushAll(test);
    expect(await test.query('SELECT id FROM domain_events')).toEqual([]);
    await test.close();
  });

  it('the position that the last instance with one left in the log of domain events is removed', async () => {
    const test = await createTestApp();
    await test.query("INSERT INTO domain_event_positions (name, position) VALUES ('push', 0)");
    await test.query(
      `INSERT INTO domain_events (position, events, created_at) VALUES (1, '[]', '2026-01-31 08:00:00.000')`,
    );
    const trim = () => test.app.get(PushRetention).trim();
    const positions = () => test.query("SELECT name FROM domain_event_positions WHERE name = 'push'");
    test.clock.set('2026-01-31T08:10:00.000Z');
    await trim();
    expect(await positions()).toHaveLength(1);
    test.clock.advance(0.001);
    await trim();
    expect(await positions()).toEqual([]);
    await test.close();
  });
});
