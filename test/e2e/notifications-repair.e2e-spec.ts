import { DataSource } from 'typeorm';
import type { ApiClient } from '../support/api-client';
import { newUserIds } from '../support/calls';
import { listNotifications, repairCounters, getUnreadCount } from '../support/notifications';
import { createTestApp, type TestApp } from '../support/test-app';
import { testUser } from '../support/users';

describe('The repair of notification counters', () => {
  let test: TestApp;
  let admin: ApiClient;
  let userId: number;
  let api: ApiClient;

  beforeAll(async () => {
    test = await createTestApp();
    admin = await test.api.as({ id: 1, role: 'admin' });
  });
  beforeEach(async () => {
    [userId = 0] = newUserIds(1);
    api = await testUser(test.api, { id: userId });
    for (const type of ['a', 'a', 'a', 'b']) {
      await admin.post('/api/admin/notifications', { user_ids: [userId], type, title: 'T', content: 'C' });
    }
    await api.put('/api/notifications/all/read', { type: 'a' });
    await admin.post('/api/admin/notifications', { user_ids: [userId], type: 'a', title: 'T', content: 'C' });
  });
  afterEach(() => repairCounters(test));
  afterAll(() => test?.close());

  const sql = (statement: string) => test.app.get(DataSource).query(statement);
  const expectTheTruth = async () => {
    expect(await getUnreadCount(api)).toEqual({ count: 2, by_type: { a: 1, b: 1 } });
    expect(await listNotifications(api, '&type=a')).toMatchObject({ total: 4, list: { length: 4 } });
    expect(await listNotifications(api, '&type=a&is_read=0')).toMatchObject({
      total: 1,
      list: { length: 1 },
    });
  };

  it('reports and corrects each wrong counter once', async () => {
    await sql(`UPDATE notification_types SET unread = 9, total = 5 WHERE type = 'a' AND user_id = ${userId}`);
    await sql(`UPDATE notification_types SET total = 2 WHERE type = 'b' AND user_id = ${userId}`);
    expect(await repairCounters(test)).toEqual([
      { userId, counter: 'total of "a"', stored: 5, actual: 4 },
      { userId, counter: 'unread of "a"', stored: 9, actual: 1 },
      { userId, counter: 'total of "b"', stored: 2, actual: 1 },
    ]);
    expect(await repairCounters(test)).toEqual([]);
    await expectTheTruth();
  });

  it('deletes counts and blocks without notifications', async () => {
    await sql(`INSERT INTO notification_types (user_id, type, code, total, unread, epoch)
      VALUES (${userId}, 'ghost', 3, 3, 3, 0)`);
    await sql(`INSERT INTO notification_blocks (user_id, start, version, width, types, unread)
      VALUES (${userId}, 90112, 1, 1, x'0003', x'')`);
    expect((await listNotifications(api)).total).toBe(8);
    expect(await repairCounters(test)).toEqual([
      { userId, counter: 'wrong positions from 90112', stored: 1, actual: 0 },
      { userId, counter: 'total of "ghost"', stored: 3, actual: 0 },
      { userId, counter: 'unread of "ghost"', stored: 3, actual: 0 },
    ]);
    expect(await sql(`SELECT start FROM notification_blocks WHERE user_id = ${userId}`)).toHaveLength(1);
    await expectTheTruth();
    expect((await listNotifications(api)).total).toBe(5);
  });

  it('restores the types of an inbox, and keeps the read states', async () => {
    await sql(`DELETE FROM notification_types WHERE user_id = ${userId}`);
    expect(await repairCounters(test)).toHaveLength(4);
    await expectTheTruth();
  });

  it('corrects the types of positions, and keeps their read states', async () => {
    await sql(
      `UPDATE notification_blocks SET types = x'000201010201010101' WHERE user_id = ${userId} AND start = 0`,
    );
    // The first position has another type, and the last three have no notification.
    expect(await repairCounters(test)).toEqual([
      { userId, counter: 'wrong positions from 0', stored: 4, actual: 0 },
    ]);
    await expectTheTruth();
  });

  it('counts notifications as read whose block was lost', async () => {
    await sql(`DELETE FROM notification_blocks WHERE user_id = ${userId}`);
    expect(await repairCounters(test)).toEqual([
      { userId, counter: 'wrong positions from 0', stored: 5, actual: 0 },
      { userId, counter: 'unread of "a"', stored: 1, actual: 0 },
      { userId, counter: 'unread of "b"', stored: 1, actual: 0 },
    ]);
    expect(await listNotifications(api, '&is_read=1')).toMatchObject({ total: 5, list: { length: 5 } });
  });

  it('moves the position beyond the existing rows', async () => {
    await sql(`UPDATE notification_inboxes SET last_seq = 2 WHERE user_id = ${userId}`);
    expect(await repairCounters(test)).toEqual([{ userId, counter: 'last_seq', stored: 2, actual: 5 }]);
    expect(await repairCounters(test)).toEqual([]);
  });

  it.each([
    [`UPDATE notification_types SET total = 9 WHERE type = 'b'`, '', 13, 5],
    ['DELETE FROM notification_blocks WHERE start = 0', '', 5, 5],
    ['DELETE FROM notification_blocks WHERE start = 0', '?is_read=1', 3, 0],
  ])('is not required for a page after %s, requested %s', async (drift, query, total, length) => {
    await sql(`${drift} AND user_id = ${userId}`);
    const page = await api.get(`/api/notifications${query}`);
    expect(page.status).toBe(200);
    expect(page.body.data).toMatchObject({ total, list: { length } });
  });
});
