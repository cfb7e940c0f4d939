import { DataSource } from 'typeorm';
import { CreateAnnouncements1764130000000 } from '../../src/database/migrations/1764130000000-CreateAnnouncements';
import { SortUsersByLastSeen1764131000000 } from '../../src/database/migrations/1764131000000-SortUsersByLastSeen';
import { ArchiveNotifications1764411000000 } from '../../src/database/migrations/1764411000000-ArchiveNotifications';
import { sendAnnouncement, countCopies, getReach, recall } from '../support/announcements';
import { repairCounters, listTitles, untilRecalled } from '../support/notifications';
import { createTestApp, type TestApp } from '../support/test-app';
import { testUser } from '../support/users';

describe('The migration of announcements', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
  });
  afterAll(() => test?.close());

  it('keeps inboxes as they are, links notifications to their announcement, and resumes after an interruption', async () => {
    const admin = await testUser(test.api, { id: 1, role: 'admin' });
    const [ann, ben] = [await testUser(test.api, { id: 2 }), await testUser(test.api, { id: 3 })];
    test.clock.advance(1);
    await sendAnnouncement(admin, { broadcast: true, title: 'first', data: { page: 'news' } });
    test.clock.advance(1);
    await testUser(test.api, { id: 4 });
    expect(await listTitles(ann)).toEqual(['first']);
    await sendAnnouncement(admin, { broadcast: true, title: 'second' });
    await sendAnnouncement(admin, { broadcast: true, title: 'recalled' });
    await recall(admin, 3);
    await sendAnnouncement(admin, { role: 'admin', title: 'for some' });
    expect(await listTitles(ann)).toEqual(['second', 'first']);
    await sendAnnouncement(admin, { user_ids: [2, 3], title: 'direct' });
    expect(await listTitles(ben)).toEqual(['direct', 'second', 'first']);

    const dataSource = test.app.get(DataSource);
    const runner = dataSource.createQueryRunner();
    const migrations = [
      new CreateAnnouncements1764130000000(),
      new SortUsersByLastSeen1764131000000(),
      new ArchiveNotifications1764411000000(),
    ];
    try {
      for (const migration of migrations.toReversed()) await migration.down(runner);
      for (const migration of migrations.toReversed()) await migration.down(runner);
      expect(await runner.query('SELECT id, title FROM notification_broadcasts ORDER BY id')).toEqual([
        { id: 1, title: 'first' },
        { id: 2, title: 'second' },
      ]);
      // The previous version sends and delivers an announcement.
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
    expect(await listTitles(ben)).toEqual(['third', 'direct', 'second', 'first']);
    expect(await listTitles(ann)).toEqual(['third', 'direct', 'second', 'first']);
    const { items } = (await admin.get('/api/admin/announcements')).body.data;
    expect(items).toMatchObject([
      { id: 3, title: 'third', sender: null, audience: 'all', recipients: 4, status: 'sent' },
      { id: 2, title: 'second', recipients: 4, data: null },
      { id: 1, title: 'first', recipients: 3, data: { page: 'news' } },
    ]);
    expect(await getReach(admin, 1, test.clock.now())).toEqual({ delivered: 2, read: 0 });
    await recall(admin, 1);
    await untilRecalled(test);
    expect(await countCopies(test, 1)).toBe(0);
    expect(await listTitles(ann)).toEqual(['third', 'direct', 'second']);
    expect(await repairCounters(test)).toEqual([]);
    const drift = await dataSource.driver.createSchemaBuilder().log();
    expect(drift.upQueries.map(({ query }) => query)).toEqual([]);
  });
});
