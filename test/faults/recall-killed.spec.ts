import { DataSource } from 'typeorm';
import { Inboxes } from '../../src/notifications/services/inboxes';
import { announce, copiesLeft } from '../support/announcements';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { stopJobs } from '../support/jobs';
import { listOf, repairCounters, unreadOf } from '../support/notifications';
import { eventually, ServiceProcess } from '../support/service-process';
import { createTestApp, type TestApp } from '../support/test-app';
import { insertUsers } from '../support/user-row';

const READERS = 2_000;
const AT_ONCE = 100;

/** Everybody has taken an announcement in; it is recalled, and the service is killed while it takes it out again. */
describe('A recall by a service that is killed', () => {
  let database: TestDatabase;
  let test: TestApp;
  let service: ServiceProcess | undefined;
  let id: number;
  const ids = Array.from({ length: READERS }, (_, index) => 10 + index);
  beforeAll(async () => {
    database = await createTestDatabase();
    test = await createTestApp({ database });
    // What is left is for those to finish that are processes.
    await stopJobs(test);
    const inboxes = test.app.get(Inboxes);
    for (let from = 0; from < READERS; from += AT_ONCE)
      await insertUsers(test.app.get(DataSource), ids.slice(from, from + AT_ONCE));
    test.clock.advance(10);
    const admin = await test.api.as({ id: 1, role: 'admin' });
    await announce(admin, { broadcast: true, title: 'stays' });
    id = await announce(admin, { broadcast: true, title: 'goes' });
    for (let from = 0; from < READERS; from += AT_ONCE)
      await inboxes.catchUp(ids.slice(from, from + AT_ONCE));
  });
  afterAll(async () => {
    await service?.kill();
    await test?.close();
    await database?.drop();
  });

  it('is finished by the next, to the last inbox, and counted out once', async () => {
    expect(await copiesLeft(test, id)).toBe(READERS);
    service = await ServiceProcess.start(database.url);
    const { data } = await service.send(1, 'POST', `/api/admin/announcements/${id}/recall`, {}, 'admin');
    expect(data).toMatchObject({ status: 'recalled' });
    await eventually(
      () => copiesLeft(test, id),
      (left) => left < READERS - 200,
      { betweenMs: 2 },
    );
    await service.kill();
    const left = await copiesLeft(test, id);
    expect(left).toBeGreaterThan(0);

    service = await ServiceProcess.start(database.url);
    const agenda = () => test.query('SELECT announcement_id FROM announcement_recalls');
    expect(await eventually(agenda, (rows) => rows.length === 0, { betweenMs: 50 })).toEqual([]);
    expect(await copiesLeft(test, id)).toBe(0);
    await service.stop();
    expect(await repairCounters(test)).toEqual([]);
    for (const reader of [ids[0], ids[READERS / 2], ids.at(-1)]) {
      const api = await test.api.as({ id: reader ?? 0 });
      expect((await listOf(api)).list.map(({ title }) => title)).toEqual(['stays']);
      expect(await unreadOf(api)).toEqual({ count: 1, by_type: { news: 1 } });
    }
    const [events] = (await test.query(
      "SELECT COUNT(*) AS n FROM events WHERE type = 'notification.deleted'",
    )) as { n: number | string }[];
    expect(Number(events?.n)).toBe(READERS);
  });
});
