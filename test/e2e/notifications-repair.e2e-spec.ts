import { DataSource } from 'typeorm';
import type { ApiClient } from '../support/api-client';
import { listOf, repairCounters, unreadOf } from '../support/notifications';
import { createTestApp, type TestApp } from '../support/test-app';
import { testUser } from '../support/users';

describe('The repair of counters', () => {
  let test: TestApp;
  let api: ApiClient;

  beforeEach(async () => {
    test = await createTestApp();
    const admin = await test.api.as({ id: 1, role: 'admin' });
    api = await testUser(test.api, { id: 7 });
    for (const type of ['a', 'a', 'a', 'b']) {
      await admin.post('/api/admin/notifications', { user_ids: [7], type, title: 'T', content: 'C' });
    }
    await api.put('/api/notifications/all/read', { type: 'a' });
    await admin.post('/api/admin/notifications', { user_ids: [7], type: 'a', title: 'T', content: 'C' });
  });
  afterEach(() => test?.close());

  const sql = (statement: string) => test.app.get(DataSource).query(statement);
  const expectTheTruth = async () => {
    expect(await unreadOf(api)).toEqual({ count: 2, by_type: { a: 1, b: 1 } });
    expect(await listOf(api, '&type=a')).toMatchObject({ total: 4, list: { length: 4 } });
    expect(await listOf(api, '&type=a&is_read=0')).toMatchObject({ total: 1, list: { length: 1 } });
  };

  it('finds nothing where nothing drifted', async () => {
    expect(await repairCounters(test)).toEqual([]);
    await expectTheTruth();
  });

  it('reports each counter that drifted, once, and mends it', async () => {
    await sql(`UPDATE notification_counts SET unread = 9, total = 5 WHERE type = 'a' AND level = 3`);
    await sql(`DELETE FROM notification_counts WHERE type = 'b' AND level = 1`);
    expect(await repairCounters(test)).toEqual(
      expect.arrayContaining([
        { userId: 7, counter: 'total of "a", level 3, block 0', stored: 5, actual: 4 },
        { userId: 7, counter: 'unread of "a", level 3, block 0', stored: 9, actual: 1 },
        { userId: 7, counter: 'total of "b", level 1, block 0', stored: 0, actual: 1 },
        { userId: 7, counter: 'unread of "b", level 1, block 0', stored: 0, actual: 1 },
      ]),
    );
    expect(await repairCounters(test)).toEqual([]);
    await expectTheTruth();
  });

  it('drops counts of what is not there', async () => {
    await sql(`INSERT INTO notification_counts (user_id, level, block, type, total, unread, epoch)
      VALUES (7, 0, 88, 'a', 2, 0, 1), (7, 3, 0, 'ghost', 3, 3, 1)`);
    expect((await listOf(api)).total).toBe(8);
    expect(await repairCounters(test)).toHaveLength(3);
    await expectTheTruth();
    expect((await listOf(api)).total).toBe(5);
  });

  it('finds the epoch of a type again whose root was lost', async () => {
    await sql(`DELETE FROM notification_counts WHERE level = 3`);
    // Without its root nothing of a type counts as unread: four nodes of each, and the totals of the roots.
    expect(await repairCounters(test)).toHaveLength(10);
    await expectTheTruth();
  });

  it('moves the position beyond what is there', async () => {
    await sql('UPDATE notification_inboxes SET last_seq = 2');
    expect(await repairCounters(test)).toEqual([{ userId: 7, counter: 'last_seq', stored: 2, actual: 5 }]);
    expect(await repairCounters(test)).toEqual([]);
  });

  it.each([
    [`UPDATE notification_counts SET total = 9 WHERE type = 'b'`, '', 13, 5],
    ['DELETE FROM notification_counts WHERE level = 2', '', 5, 5],
    ['DELETE FROM notification_counts WHERE level = 2', '?is_read=1', 3, 0],
    ['DELETE FROM notification_counts WHERE level = 0', '?is_read=1', 3, 0],
  ])(
    'is not needed for a page to be answered after %s, asked for %s',
    async (drift, query, total, length) => {
      await sql(drift);
      // So far that the tree has all its levels.
      await sql('UPDATE notification_inboxes SET last_seq = 140000');
      const page = await api.get(`/api/notifications${query}`);
      expect(page.status).toBe(200);
      expect(page.body.data).toMatchObject({ total, list: { length } });
    },
  );
});
