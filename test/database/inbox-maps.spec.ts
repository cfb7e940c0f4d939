import { DataSource } from 'typeorm';
import { MapInboxes1764220000000 } from '../../src/database/migrations/1764220000000-MapInboxes';
import { ArchiveNotifications1764411000000 } from '../../src/database/migrations/1764411000000-ArchiveNotifications';
import type { ApiClient } from '../support/api-client';
import { getUnreadCount, listNotifications, repairCounters } from '../support/notifications';
import { createTestApp, type TestApp } from '../support/test-app';
import { testUser } from '../support/users';

/** More rows than the migration reads with one statement. */
const MANY = 5_100;
/** More types than one byte can number. */
const TYPES = 300;

describe('The migration of inboxes to maps', () => {
  let test: TestApp;
  let admin: ApiClient;
  beforeAll(async () => {
    test = await createTestApp();
    admin = await testUser(test.api, { id: 1, role: 'admin' });
  });
  afterAll(() => test?.close());

  const send = (id: number, type: string) =>
    admin.post('/api/admin/notifications', { user_ids: [id], type, title: type, content: 'C' });

  it('keeps counts and read states in both directions, and resumes after an interruption', async () => {
    const [ann, ben] = [await testUser(test.api, { id: 2 }), await testUser(test.api, { id: 3 })];
    for (const type of ['a', 'a', 'b', 'c']) await send(2, type);
    const [, , second] = (await listNotifications(ann)).list;
    await ann.put(`/api/notifications/${second?.id}/read`);
    await ann.put('/api/notifications/all/read', { type: 'b' });
    await getUnreadCount(ben);

    const dataSource = test.app.get(DataSource);
    const runner = dataSource.createQueryRunner();
    const migration = new MapInboxes1764220000000();
    try {
      await migration.down(runner);
      expect(
        await runner.query(
          'SELECT type, total, unread, epoch FROM notification_counts WHERE user_id = 2 AND level = 3 ORDER BY type',
        ),
      ).toEqual([
        { type: 'a', total: 2, unread: 1, epoch: 1 },
        { type: 'b', total: 1, unread: 0, epoch: 1 },
        { type: 'c', total: 1, unread: 1, epoch: 1 },
      ]);
      // The previous version marks a type read, and delivers to another inbox.
      await runner.query(
        `UPDATE notification_counts SET epoch = 2, unread = 0 WHERE user_id = 2 AND level = 3 AND type = 'c'`,
      );
      const rows = Array.from(
        { length: MANY },
        (_, index) =>
          `(3, ${index + 1}, 't${index % TYPES}', '${index + 1}', 'C', ${index % 2}, '2026-01-31 08:00:00.000')`,
      );
      for (let start = 0; start < MANY; start += 1_000)
        await runner.query(
          `INSERT INTO notifications (user_id, seq, type, title, content, unread_epoch, created_at)
           VALUES ${rows.slice(start, start + 1_000).join(', ')}`,
        );
      await runner.query(
        `INSERT INTO notification_counts (user_id, level, block, type, total, unread, epoch)
         SELECT 3, 3, 0, type, COUNT(*), SUM(unread_epoch), 1 FROM notifications WHERE user_id = 3 GROUP BY type`,
      );
      await runner.query(`UPDATE notification_inboxes SET last_seq = ${MANY} WHERE user_id = 3`);
      // An interrupted run has left rows.
      await migration.up(runner);
      await migration.down(runner);
      await runner.query('CREATE TABLE notification_blocks (user_id bigint PRIMARY KEY)');
      await migration.up(runner);
      await migration.up(runner);
      // Adds columns to the tables of the map.
      await new ArchiveNotifications1764411000000().up(runner);
    } finally {
      await runner.release();
    }
    expect(await getUnreadCount(ann)).toEqual({ count: 1, by_type: { a: 1 } });
    expect((await listNotifications(ann)).list.map(({ title, is_read }) => [title, is_read])).toEqual([
      ['c', 1],
      ['b', 1],
      ['a', 1],
      ['a', 0],
    ]);
    expect((await getUnreadCount(ben)).count).toBe(2_550);
    const last = await listNotifications(ben, '&is_read=0&page=26');
    expect(last).toMatchObject({ total: 2_550, list: { length: 50 } });
    expect(last.list.slice(-3).map(({ title }) => title)).toEqual(['6', '4', '2']);
    expect((await listNotifications(ben, '&type=t299')).total).toBe(17);
    expect(await repairCounters(test)).toEqual([]);
    const drift = await dataSource.driver.createSchemaBuilder().log();
    expect(drift.upQueries.map(({ query }) => query)).toEqual([]);
  });
});
