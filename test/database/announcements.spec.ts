import { DataSource } from 'typeorm';
import { CreateAnnouncements1764130000000 } from '../../src/database/migrations/1764130000000-CreateAnnouncements';
import { SortUsersByLastSeen1764131000000 } from '../../src/database/migrations/1764131000000-SortUsersByLastSeen';
import { announce, copiesLeft, reachOf, recall } from '../support/announcements';
import { repairCounters, titlesOf, untilRecalled } from '../support/notifications';
import { createTestApp, type TestApp } from '../support/test-app';
import { testUser } from '../support/users';

describe('The migration that makes announcements of broadcasts', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
  });
  afterAll(() => test?.close());

  it('keeps what inboxes have and lack, knows what came by which, and can run again when interrupted', async () => {
    const admin = await testUser(test.api, { id: 1, role: 'admin' });
    const [ann, ben] = [await testUser(test.api, { id: 2 }), await testUser(test.api, { id: 3 })];
    test.clock.advance(1);
    await announce(admin, { broadcast: true, title: 'first', data: { page: 'news' } });
    test.clock.advance(1);
    await testUser(test.api, { id: 4 });
    expect(await titlesOf(ann)).toEqual(['first']);
    await announce(admin, { broadcast: true, title: 'second' });
    await announce(admin, { broadcast: true, title: 'recalled' });
    await recall(admin, 3);
    await announce(admin, { role: 'admin', title: 'for some' });
    expect(await titlesOf(ann)).toEqual(['second', 'first']);
    await announce(admin, { user_ids: [2, 3], title: 'direct' });
    expect(await titlesOf(ben)).toEqual(['direct', 'second', 'first']);

    const dataSource = test.app.get(DataSource);
    const runner = dataSource.createQueryRunner();
    const migrations = [new CreateAnnouncements1764130000000(), new SortUsersByLastSeen1764131000000()];
    try {
      for (const migration of migrations.toReversed()) await migration.down(runner);
      for (const migration of migrations.toReversed()) await migration.down(runner);
      expect(await runner.query('SELECT id, title FROM notification_broadcasts ORDER BY id')).toEqual([
        { id: 1, title: 'first' },
        { id: 2, title: 'second' },
      ]);
      // The version before sends and delivers.
      await runner.query(
        `INSERT INTO notification_broadcasts (id, type, title, content, created_at)
         VALUES (3, 'news', 'third', 'Content', '2026-01-31 08:00:09.000')`,
      );
      for (const migration of migrations) await migration.up(runner);
      for (const migration of migrations) await migration.up(runner);
    } finally {
      await runner.release();
    }
    test.clock.advance(60);
    expect(await titlesOf(ben)).toEqual(['third', 'direct', 'second', 'first']);
    expect(await titlesOf(ann)).toEqual(['third', 'direct', 'second', 'first']);
    const { items } = (await admin.get('/api/admin/announcements')).body.data;
    expect(items).toMatchObject([
      { id: 3, title: 'third', sender: null, audience: 'all', recipients: 4, status: 'sent' },
      { id: 2, title: 'second', recipients: 4, data: null },
      { id: 1, title: 'first', recipients: 3, data: { page: 'news' } },
    ]);
    expect(await reachOf(admin, 1, test.clock.now())).toEqual({ delivered: 2, read: 0 });
    await recall(admin, 1);
    await untilRecalled(test);
    expect(await copiesLeft(test, 1)).toBe(0);
    expect(await titlesOf(ann)).toEqual(['third', 'direct', 'second']);
    expect(await repairCounters(test)).toEqual([]);
    const drift = await dataSource.driver.createSchemaBuilder().log();
    expect(drift.upQueries.map(({ query }) => query)).toEqual([]);
  });
});
