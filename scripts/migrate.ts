import '../src/node-version';
import { loadDatabaseConfig } from '../src/config/database-config';
import { createDataSource } from '../src/database/data-source';
import { migrate } from '../src/database/migrate';
import { readOptions, runScript } from './command-line';

const USAGE = `Usage: callboard migrate
Runs the pending migrations on the database DATABASE_URL. Safe while instances of the service start.`;

async function main(): Promise<void> {
  readOptions(USAGE, {});
  const database = loadDatabaseConfig(process.env);
  const dataSource = await createDataSource(database).initialize();
  try {
    const names = await migrate(dataSource, database);
    process.stdout.write(names.length > 0 ? `Ran ${names.join(', ')}\n` : 'Nothing to do\n');
  } finally {
    await dataSource.destroy();
  }
}

runScript(main);
