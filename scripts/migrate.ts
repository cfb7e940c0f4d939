import { loadDatabaseConfig } from '../src/config/database-config';
import { createDataSource } from '../src/database/data-source';
import { migrate } from '../src/database/migrate';

/* Brings the database that DATABASE_URL names up to date, in turn with instances that start at the same time. */
async function main(): Promise<void> {
  const database = loadDatabaseConfig(process.env);
  const dataSource = await createDataSource(database).initialize();
  try {
    const names = await migrate(dataSource, database);
    process.stdout.write(names.length > 0 ? `Ran ${names.join(', ')}\n` : 'Nothing to do\n');
  } finally {
    await dataSource.destroy();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
