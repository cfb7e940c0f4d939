import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { Inboxes } from '../../src/notifications/services/inboxes';
import { sendAnnouncement, countCopies } from '../support/announcements';
import type { TestDatabase } from '../support/database';
import { createMigratedDatabase } from '../support/migrated-database';
import { stopJobs } from '../support/jobs';
import { listNotifications, repairCounters, getUnreadCount } from '../support/notifications';
import { eventually, ServiceProcess } from '../support/service-process';
import { createTestApp, type TestApp } from '../support/test-app';
import { insertUsers } from '../support/user-row';

const READERS = 2_000;
const CONCURRENCY = 100;
/** Kills the service when it has removed an announcement from three batches of inboxes. */
const KILLED_IN_RECALL = { NODE_OPTIONS: `--require=${join(__dirname, '../support/kill-in-recall.js')}` };

/** Every inbox contains the announcement. The service is killed while it removes the recalled announcement. */
describe('A recall in a service that is killed', () => {
  let database: TestDatabase;
  let test: TestApp;
  let service: ServiceProcess | undefined;
  let id: number;
  const ids = Array.from({ length: READERS }, (_, index) => 10 + index);
  beforeAll(async () => {
    database = await createMigratedDatabase();
    test = await createTestApp({ database });
    // Only the started processes finish the recall.
    await stopJobs(test);
    const inboxes = test.app.get(Inboxes);
    for (let from = 0; from < READERS; from += CONCURRENCY)
      await insertUsers(test.app.get(DataSource), ids.slice(from, from + CONCURRENCY));
    test.clock.advance(10);
    const admin = await test.api.as({ id: 1, role: 'admin' });
    await sendAnnouncement(admin, { broadcast: true, title: 'stays' });
    id = await sendAnnouncement(admin, { broadcast: true, title: 'goes' });
    for (let from = 0; from < READERS; from += CONCURRENCY)
      await inboxes.materialiseBroadcasts(ids.slice(from, from + CONCURRENCY));
  });
  afterAll(async () => {
    await service?.kill();
    await test?.close();
    await database?.drop();
  });

  it('is finished after the restart, down to the last inbox, and counted once', async () => {
    expect(await countCopies(test, id)).toBe(READERS);
    service = await ServiceProcess.start(database.url, KILLED_IN_RECALL);
    // The service may die before it responds.
    const recalling = service.send(1, 'POST', `/api/admin/announcements/${id}/recall`, {}, 'admin');
    await recalling.catch(() => undefined);
    expect(await service.exit()).toBeNull();
    expect(await countCopies(test, id)).toBe(READERS - 300);

    // The claim of the dead instance ends.
    await test.query("UPDATE announcement_recalls SET claimed_until = '2026-01-31 08:00:00.000'");
    service = await ServiceProcess.start(database.url);
    const agenda = () => test.query('SELECT announcement_id FROM announcement_recalls');
    await eventually(agenda, (rows) => rows.length === 0);
    expect(await countCopies(test, id)).toBe(0);
    await service.stop();
    expect(await repairCounters(test)).toEqual([]);
    for (const reader of [ids[0], ids[READERS / 2], ids.at(-1)]) {
      const api = await test.api.as({ id: reader ?? 0 });
      expect((await listNotifications(api)).list.map(({ title }) => title)).toEqual(['stays']);
      expect(await getUnreadCount(api)).toEqual({ count: 1, by_type: { news: 1 } });
    }
    const [events] = (await test.query(
      "SELECT COUNT(*) AS n FROM events WHERE type = 'notification.deleted'",
    )) as { n: number | string }[];
    expect(Number(events?.n)).toBe(READERS);
  });
});
