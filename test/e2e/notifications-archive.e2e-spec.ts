import { SnoozeEnds } from '../../src/notifications/services/snooze-ends.job';
import { Transactions } from '../../src/database/transactions';
import { findForPush } from '../../src/notifications/store/pushable.store';
import type { ApiClient } from '../support/api-client';
import { stopJobs } from '../support/jobs';
import {
  createUser,
  getUnreadCount,
  type Listed,
  listNotifications,
  listTitles,
  repairCounters,
  sendNotification,
} from '../support/notifications';
import { createTestApp, START, type TestApp } from '../support/test-app';
import { testUser } from '../support/users';

const IN_AN_HOUR = '2026-01-31T09:00:00.000Z';

describe('Archived and snoozed notifications', () => {
  let test: TestApp;
  let other: TestApp;
  let admin: ApiClient;
  let id: number;
  let api: ApiClient;
  let first: number;
  let second: number;
  beforeAll(async () => {
    test = await createTestApp();
    other = await createTestApp({ database: test.database, clock: test.clock });
    // The job runs by the real time, and could end a snooze before the test does.
    await stopJobs(test, other);
    admin = await testUser(test.api, { id: 1, role: 'admin' });
  });
  beforeEach(async () => {
    test.clock.set(START);
    ({ id, api } = await createUser(test.api));
    for (const title of ['1', '2', '3']) await sendNotification(admin, { user_ids: [id], title, type: 't' });
    [, second = 0, first = 0] = (await listNotifications(api)).list.map((one) => one.id);
  });
  afterEach(async () => expect(await repairCounters(test)).toEqual([]));
  afterAll(async () => {
    await other?.close();
    await test?.close();
  });

  const path = (notification: number, action: string) => `/api/notifications/${notification}/${action}`;
  const archive = async (notification: number): Promise<Listed> =>
    (await api.put(path(notification, 'archive'))).body.data;
  const snooze = async (notification: number, snooze_until = IN_AN_HOUR) =>
    (await api.put(path(notification, 'snooze'), { snooze_until })).body;
  const unreadOfType = async () => (await getUnreadCount(api)).by_type['t'] ?? 0;
  const eventsOf = async (type: string) =>
    (await api.get('/api/events/poll?limit=500')).body.data.items.filter(
      (event: { type: string }) => event.type === type,
    );

  it('are listed apart, and counted as unread nowhere', async () => {
    expect(await archive(first)).toMatchObject({ id: first, is_read: 0, archived: 1, snooze_until: null });
    expect(await listNotifications(api)).toMatchObject({ total: 2, list: [{ title: '3' }, { title: '2' }] });
    expect(await listNotifications(api, '&archived=1')).toMatchObject({
      total: 1,
      list: [{ id: first, archived: 1, is_read: 0 }],
    });
    expect(await listTitles(api, '&archived=1&is_read=1')).toEqual([]);
    expect(await listTitles(api, '&archived=0&is_read=0&type=t')).toEqual(['3', '2']);
    expect(await unreadOfType()).toBe(2);
  });

  it('come back with their read state', async () => {
    await api.put(path(second, 'read'));
    await archive(first);
    await archive(second);
    expect(await unreadOfType()).toBe(1);
    for (const one of [first, second]) await api.delete(path(one, 'archive'));
    expect(
      (await listNotifications(api)).list.map(({ title, is_read, archived }) => [title, is_read, archived]),
    ).toEqual([
      ['3', 0, 0],
      ['2', 1, 0],
      ['1', 0, 0],
    ]);
    expect(await unreadOfType()).toBe(2);
  });

  it('are marked read and unread where they are', async () => {
    await archive(first);
    await api.put(path(first, 'read'));
    expect((await api.put(path(first, 'unread'))).body.data).toMatchObject({ archived: 1, is_read: 0 });
    expect(await unreadOfType()).toBe(2);
    expect((await api.put('/api/notifications/all/read')).body.data).toEqual({ affected: 3 });
    expect(await listTitles(api, '&archived=1&is_read=1')).toEqual(['1']);
  });

  it('publish each change with the unread count, and none when repeated', async () => {
    await archive(first);
    await archive(first);
    await api.delete(path(first, 'archive'));
    await api.delete(path(first, 'archive'));
    await api.delete(path(first, 'snooze'));
    await snooze(first);
    await snooze(first);
    const events = await eventsOf('notification.updated');
    expect(events.map((event: { notification: Listed; unread_count: number }) => event)).toMatchObject([
      { notification: { id: first, archived: 1, snooze_until: null }, unread_count: 2, by_type: { t: 2 } },
      { notification: { id: first, archived: 0, snooze_until: null }, unread_count: 3 },
      { notification: { id: first, archived: 1, snooze_until: IN_AN_HOUR }, unread_count: 2 },
    ]);
  });

  it('come back as unread when the snooze ends, once, whichever of two instances ends it', async () => {
    await api.put(path(first, 'read'));
    await snooze(first);
    await snooze(second, '2026-01-31T09:00:00.001Z');
    expect(await listNotifications(api, '&archived=1')).toMatchObject({
      list: [{ id: second }, { id: first, is_read: 1, archived: 1, snooze_until: IN_AN_HOUR }],
    });
    const sweep = () => Promise.all([test, other].map(({ app }) => app.get(SnoozeEnds).sweep()));
    test.clock.advance(3_599);
    await sweep();
    expect(await unreadOfType()).toBe(1);
    test.clock.set(IN_AN_HOUR);
    await sweep();
    expect(await unreadOfType()).toBe(2);
    expect(await listTitles(api)).toEqual(['3', '1']);
    expect(await listTitles(api, '&archived=1')).toEqual(['2']);
    const events = await eventsOf('notification.updated');
    expect(events.slice(2)).toMatchObject([
      { notification: { id: first, archived: 0, is_read: 0, snooze_until: null }, unread_count: 2 },
    ]);
  });

  it.each<[string, () => Promise<unknown>, string[]]>([
    ['archived', () => archive(first), ['3', '2']],
    ['moved back', () => api.delete(path(first, 'archive')), ['3', '2', '1']],
    ['woken', () => api.delete(path(first, 'snooze')), ['3', '2', '1']],
    ['deleted', () => api.delete(`/api/notifications/${first}`), ['3', '2']],
  ])('do not come back again after they were %s during the snooze', async (_change, change, titles) => {
    await snooze(first);
    await change();
    expect(
      await test.query(`SELECT due_at FROM notification_snoozes WHERE notification_id = ${first}`),
    ).toEqual([]);
    test.clock.set(IN_AN_HOUR);
    await test.app.get(SnoozeEnds).sweep();
    expect(await listTitles(api)).toEqual(titles);
  });

  it('snooze until the last time that was set', async () => {
    await snooze(first);
    await snooze(first, '2026-01-31T10:00:00.000Z');
    test.clock.set(IN_AN_HOUR);
    await test.app.get(SnoozeEnds).sweep();
    expect(await listNotifications(api, '&archived=1')).toMatchObject({
      list: [{ snooze_until: '2026-01-31T10:00:00.000Z' }],
    });
    await api.delete(path(first, 'archive'));
  });

  it('reject a time that is not in the future', async () => {
    expect(await snooze(first, START)).toMatchObject({ code: 422, message: 'snooze_until 取值无效' });
    expect((await api.put(path(first, 'snooze'), {})).body).toMatchObject({
      code: 422,
      message: 'snooze_until 字段不能为空',
    });
  });

  it('are shown to the push queue with their state', async () => {
    await archive(first);
    await api.put(path(second, 'read'));
    await sendNotification(admin, { user_ids: [id], title: '4', type: 't', critical: true });
    const fourth = (await listNotifications(api)).list[0]?.id ?? 0;
    const found = await findForPush(test.app.get(Transactions).read(), [first, second, fourth, 999_999]);
    expect(
      [...found.values()].map(({ title, critical, isUnread, isArchived }) => [
        title,
        critical,
        isUnread,
        isArchived,
      ]),
    ).toEqual([
      ['1', false, true, true],
      ['2', false, false, false],
      ['4', true, true, false],
    ]);
  });
});

describe('data.actions of notifications', () => {
  let test: TestApp;
  let admin: ApiClient;
  beforeAll(async () => {
    test = await createTestApp();
    admin = await testUser(test.api, { id: 1, role: 'admin' });
  });
  afterAll(() => test?.close());

  const send = async (actions: unknown) =>
    (
      await admin.post('/api/admin/notifications', {
        user_ids: [1],
        type: 't',
        title: 'T',
        content: 'C',
        data: { actions },
      })
    ).body;
  const action = { id: 'open', label: '查看', url: 'https://example.test/bill?id=1' };

  it('are stored as they were sent', async () => {
    const actions = [
      action,
      { ...action, id: 'app', url: '/?conversation=7' },
      { ...action, id: 'x', url: 'http://a' },
    ];
    expect((await send(actions)).code).toBe(0);
    const { data } = (await admin.get('/api/notifications')).body;
    expect(data.list[0].data).toEqual({ actions });
  });

  it.each([
    ['four of them', Array.from({ length: 4 }, (_, index) => ({ ...action, id: `${index}` }))],
    ['no array', action],
    ['the same id twice', [action, action]],
    ['a label of 41 characters', [{ ...action, label: '长'.repeat(41) }]],
    ['a blank label', [{ ...action, label: ' ' }]],
    ['no url', [{ id: 'open', label: 'Open' }]],
    ['a script', [{ ...action, url: 'javascript:alert(1)' }]],
    ['a data URL', [{ ...action, url: 'data:text/html,1' }]],
    ['a path of another host', [{ ...action, url: '//example.test' }]],
    ['a path of another host with a backslash', [{ ...action, url: '/\\example.test' }]],
  ])('are rejected with %s', async (_what, actions) => {
    expect(await send(actions)).toMatchObject({ code: 422, message: 'data.actions 取值无效' });
  });
});
