import { DataSource } from 'typeorm';
import type { ApiClient } from '../support/api-client';
import { newUserIds } from '../support/calls';
import { listNotifications, repairCounters, listTitles } from '../support/notifications';
import { createTestApp, type TestApp } from '../support/test-app';
import { testUser } from '../support/users';

describe('Broadcasts', () => {
  let test: TestApp;
  let admin: ApiClient;

  beforeAll(async () => {
    test = await createTestApp();
  });
  beforeEach(async () => {
    const [id = 0] = newUserIds(1);
    admin = await testUser(test.api, { id, role: 'admin' });
  });
  afterEach(async () => {
    expect(await repairCounters(test)).toEqual([]);
  });
  afterAll(() => test?.close());

  const met = (id: number) => testUser(test.api, { id });
  const newUsers = (count: number) => Promise.all(newUserIds(count).map(met));
  const newUser = () => met(newUserIds(1)[0] ?? 0);
  const broadcast = async (title: string, more: object = {}) => {
    const response = await admin.post('/api/admin/notifications', {
      broadcast: true,
      type: 'news',
      title,
      content: 'Content',
      ...more,
    });
    return response.body.data as { created: number; announcement_id: number };
  };
  const toOne = (id: number, title: string) =>
    admin.post('/api/admin/notifications', { user_ids: [id], type: 'own', title, content: 'Content' });
  const rowsIn = async (table: string) =>
    Number((await test.app.get(DataSource).query(`SELECT COUNT(*) AS n FROM ${table}`))[0].n);

  it('return the number of users, including the sender', async () => {
    const others = (await rowsIn('users')) - 1;
    await newUsers(2);
    const { announcement_id, created } = await broadcast('one');
    expect(created).toBe(others + 3);
    await newUser();
    expect(await broadcast('two', { user_ids: [] })).toEqual({
      created: others + 4,
      announcement_id: announcement_id + 1,
    });
    expect(await listTitles(admin)).toEqual(['two', 'one']);
  });

  it('are one row when sent, and materialised when an inbox is read', async () => {
    const readers = await newUsers(3);
    test.clock.advance(1);
    const tables = ['announcements', 'notifications', 'notification_inboxes'];
    const rows = () => Promise.all(tables.map(rowsIn));
    const [announcements = 0, notifications = 0, inboxes = 0] = await rows();
    await broadcast('news');
    expect(await rows()).toEqual([announcements + 1, notifications, inboxes]);
    for (const api of readers) expect(await listTitles(api)).toEqual(['news']);
    expect(await rowsIn('notifications')).toBe(notifications + 3);
  });

  it.each([
    ['in the same millisecond', 0],
    ['later', 1],
  ])('do not reach users created %s, with any id', async (_, seconds) => {
    const [low = 0, middle = 0, high = 0, last = 0] = newUserIds(4);
    await met(middle);
    await broadcast('old');
    test.clock.advance(seconds);
    const [lower, higher] = [await met(low), await met(high)];
    test.clock.advance(seconds);
    await broadcast('new');
    expect(await listTitles(lower)).toEqual(['new']);
    expect(await listTitles(higher)).toEqual(['new']);
    expect(await listTitles(await met(middle))).toEqual(['new', 'old']);
    expect(await listTitles(await met(last))).toEqual([]);
  });

  it('have the time of sending, and are ordered by creation among direct ones', async () => {
    const [id = 0] = newUserIds(1);
    const api = await met(id);
    test.clock.set('2026-02-01T08:00:00.000Z');
    await toOne(id, 'a');
    test.clock.advance(10);
    await broadcast('b');
    test.clock.advance(10);
    await toOne(id, 'c');
    test.clock.advance(10);
    await broadcast('d');
    test.clock.advance(10);
    expect((await listNotifications(api)).list.map((item) => [item.title, item.created_at])).toEqual([
      ['d', '2026-02-01T08:00:30.000Z'],
      ['c', '2026-02-01T08:00:20.000Z'],
      ['b', '2026-02-01T08:00:10.000Z'],
      ['a', '2026-02-01T08:00:00.000Z'],
    ]);
  });

  it.each([
    ['the list', (api: ApiClient) => api.get('/api/notifications?is_read=0'), { total: 2 }],
    ['the unread count', (api: ApiClient) => api.get('/api/notifications/unread-count'), { count: 2 }],
    ['mark-all', (api: ApiClient) => api.put('/api/notifications/all/read'), { affected: 2 }],
    [
      'mark-all of their type',
      (api: ApiClient) => api.put('/api/notifications/all/read', { type: 'news' }),
      { affected: 2 },
    ],
  ])('are visible to %s, even as a user’s first request', async (_, act, expected) => {
    const api = await newUser();
    await broadcast('one');
    await broadcast('two');
    expect((await act(api)).body.data).toMatchObject(expected);
  });

  it('are read, unread and deleted by each user separately', async () => {
    const [one, other] = [await newUser(), await newUser()];
    await broadcast('news');
    const id = (await listNotifications(one)).list[0]?.id;
    const othersId = (await listNotifications(other)).list[0]?.id;
    expect(id).not.toBe(othersId);
    expect((await one.put(`/api/notifications/${othersId}/read`)).body.code).toBe(404);
    await one.put(`/api/notifications/${id}/read`);
    expect(await listTitles(one, '&is_read=1')).toEqual(['news']);
    expect(await listTitles(other, '&is_read=1')).toEqual([]);
    await one.delete(`/api/notifications/${id}`);
    expect(await listTitles(one)).toEqual([]);
    expect(await listTitles(other)).toEqual(['news']);
  });

  it('are materialised in hundreds', async () => {
    const api = await newUser();
    test.clock.advance(1);
    for (let index = 1; index <= 120; index += 1) await broadcast(`N${index}`);
    const page = (await api.get('/api/notifications?page=3&per_page=50')).body.data;
    expect(page).toMatchObject({ total: 120, last_page: 3 });
    expect(page.list).toHaveLength(20);
    expect(page.list.at(-1).title).toBe('N1');
  });

  it('are delivered after a restart', async () => {
    const [id = 0] = newUserIds(1);
    const api = await met(id);
    await broadcast('before');
    const again = await createTestApp({ database: test.database, clock: test.clock });
    try {
      const other = await again.api.as({ id });
      expect(await listTitles(other)).toEqual(['before']);
      await broadcast('after');
      expect(await listTitles(other)).toEqual(['after', 'before']);
      expect(await listTitles(api)).toEqual(['after', 'before']);
    } finally {
      await again.close();
    }
  });
});
