import type { DatabaseConfig } from '../../src/config/database-config';
import { createDataSource } from '../../src/database/data-source';
import { migrate } from '../../src/database/migrate';
import { seedDeviceGroups } from './device-groups';
import { Loader } from './loader';
import { seedMessageFilters } from './message-filters';
import { seedMessaging } from './messaging';
import { seedNotifications } from './notifications';
import type { Plan } from './plan';

/**
 * Loads the benchmark's data set directly into the tables of an empty database, with all data that the service derives
 * from it. The same plan produces the same rows.
 * @throws {Error} if the database contains users
 */
export async function seed(database: DatabaseConfig, plan: Plan): Promise<void> {
  const dataSource = await createDataSource(database).initialize();
  try {
    await migrate(dataSource, database);
    // Uses a dedicated connection: session settings and the temporary table of numbers belong to one connection.
    const runner = dataSource.createQueryRunner();
    const run = (sql: string): Promise<unknown> => runner.query(sql);
    try {
      const [{ n } = { n: 0 }] = (await run('SELECT COUNT(*) AS n FROM users')) as { n: number | string }[];
      if (Number(n) > 0)
        throw new Error('The benchmark requires an empty database, but this one contains users');
      const loader = new Loader(run, database.type, Math.max(plan.history, 100_000));
      await loader.prepare();
      await seedUsers(loader, plan);
      await seedNotifications(loader, plan);
      await seedMessaging(loader, plan);
      await seedMessageFilters(runner.manager);
      await seedDeviceGroups(loader, plan);
    } finally {
      await runner.release();
    }
  } finally {
    await dataSource.destroy();
  }
}

/** Inserts the active users, and those that only fill the largest group. */
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
