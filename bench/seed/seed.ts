import type { DatabaseConfig } from '../../src/config/database-config';
import { createDataSource } from '../../src/database/data-source';
import { migrate } from '../../src/database/migrate';
import { seedDeviceGroups } from './device-groups';
import { Loader } from './loader';
import { seedMessaging } from './messaging';
import { seedNotifications } from './notifications';
import type { Plan } from './plan';

/**
 * Loads the data set of the benchmark straight into the tables of an empty database, with everything that the service
 * derives from it. The same plan makes the same rows.
 * @throws {Error} when the database has users already
 */
export async function seed(database: DatabaseConfig, plan: Plan): Promise<void> {
  const dataSource = await createDataSource(database).initialize();
  try {
    await migrate(dataSource, database);
    // A connection for itself: what is set for a session, and the table of numbers, belong to one.
    const runner = dataSource.createQueryRunner();
    const run = (sql: string): Promise<unknown> => runner.query(sql);
    try {
      const [{ n } = { n: 0 }] = (await run('SELECT COUNT(*) AS n FROM users')) as { n: number | string }[];
      if (Number(n) > 0) throw new Error('The benchmark fills empty databases only, and this one has users');
      const loader = new Loader(run, database.type, Math.max(plan.history, 100_000));
      await loader.prepare();
      await seedUsers(loader, plan);
      await seedNotifications(loader, plan);
      await seedMessaging(loader, plan);
      await seedDeviceGroups(loader, plan);
    } finally {
      await runner.release();
    }
  } finally {
    await dataSource.destroy();
  }
}

/** The users, and those who are only there to fill the largest group. */
async function seedUsers(loader: Loader, { users, crowd }: Plan): Promise<void> {
  const count = Math.max(users, crowd);
  const id = 'n + 1';
  await loader.insert(
    'users',
    'id, account, account_key, name, name_key, avatar, role, status, created_at',
    [
      id,
      loader.text("'user'", id),
      loader.text("'user'", id),
      loader.text("'User '", id),
      loader.text("'user '", id),
      `CASE WHEN n % 3 = 0 THEN NULL ELSE ${loader.text("'https://files.example.com/faces/'", id, "'.jpg'")} END`,
      "'user'",
      '1',
      loader.moment('2025-01-01', 'n'),
    ],
    count,
  );
  await loader.run(`UPDATE user_sequence SET last_user_id = ${count}`);
  await loader.analyze(['users']);
}
