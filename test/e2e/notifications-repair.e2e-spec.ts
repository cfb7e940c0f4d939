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

  it('finds nothing without drift', async () => {
    expect(await repairCounters(test)).toEqual([]);
    await expectTheTruth();
  });

  it('reports and corrects each wrong counter once', async () => {
    await sql(
      `UPDATE notification_counts SET unread = 9, total = 5 WHERE type = 'a' AND level = 3 AND user_id = ${userId}`,
    );
    await sql(`DELETE FROM notification_counts WHERE type = 'b' AND level = 1 AND user_id = ${userId}`);
    expect(await repairCounters(test)).toEqual(
      expect.arrayContaining([
        { userId, counter: 'total of "a", level 3, block 0', stored: 5, actual: 4 },
        { userId, counter: 'unread of "a", level 3, block 0', stored: 9, actual: 1 },
        { userId, counter: 'total of "b", level 1, block 0', stored: 0, actual: 1 },
        { userId, counter: 'unread of "b", level 1, block 0', stored: 0, actual: 1 },
      ]),
    );
    expect(await repairCounters(test)).toEqual([]);
    await expectTheTruth();
  });

  it('deletes counts without notifications', async () => {
    await sql(`INSERT INTO notification_counts (user_id, level, block, type, total, unread, epoch)
      VALUES (${userId}, 0, 88, 'a', 2, 0, 1), (${userId}, 3, 0, 'ghost', 3, 3, 1)`);
    expect((await listNotifications(api)).total).toBe(8);
    expect(await repairCounters(test)).toHaveLength(3);
    await expectTheTruth();
    expect((await listNotifications(api)).total).toBe(5);
  });

  it('restores the epoch of a type whose root was lost', async () => {
    await sql(`DELETE FROM notification_counts WHERE level = 3 AND user_id = ${userId}`);
    // Without its root nothing of a type counts as unread: four nodes of each, and the totals of the roots.
    expect(await repairCounters(test)).toHaveLength(10);
    await expectTheTruth();
  });

  it('moves the position beyond the existing rows', async () => {
    await sql(`UPDATE notification_inboxes SET last_seq = 2 WHERE user_id = ${userId}`);
    expect(await repairCounters(test)).toEqual([{ userId, counter: 'last_seq', stored: 2, actual: 5 }]);
    expect(await repairCounters(test)).toEqual([]);
  });

  it.each([
    [`UPDATE notification_counts SET total = 9 WHERE type = 'b'`, '', 13, 5],
    ['DELETE FROM notification_counts WHERE level = 2', '', 5, 5],
    ['DELETE FROM notification_counts WHERE level = 2', '?is_read=1', 3, 0],
    ['DELETE FROM notification_counts WHERE level = 0', '?is_read=1', 3, 0],
  ])('is not required for a page after %s, requested %s', async (drift, query, total, length) => {
    await sql(`${drift} AND user_id = ${userId}`);
    // So far that the tree has all its levels.
    await sql(`UPDATE notification_inboxes SET last_seq = 140000 WHERE user_id = ${userId}`);
    const page = await api.get(`/api/notifications${query}`);
    expect(page.status).toBe(200);
    expect(page.body.data).toMatchObject({ total, list: { length } });
  });
});
