import '../../src/node-version';
import 'reflect-metadata';
import { readOptions, runScript } from '../../scripts/command-line';
import { loadDatabaseConfig } from '../../src/config/database-config';
import { createDatabase, seedBaseline } from '../baseline/seed';
import { planOf } from './plan';
import { seed } from './seed';

const USAGE = `Usage: npm run bench:seed [-- --scale 0.01] [--baseline callboard_baseline]
Loads the benchmark's data set into the empty database DATABASE_URL. --baseline: loads it also into a new database of
that name on the same server, for the server in bench/baseline/ (MariaDB only).`;

async function main(): Promise<void> {
  const values = readOptions(USAGE, {
    scale: { type: 'string', default: '1' },
    baseline: { type: 'string' },
  });
  const database = loadDatabaseConfig(process.env);
  if (values.baseline !== undefined && database.type === 'better-sqlite3')
    throw new Error('The baseline requires MariaDB, but DATABASE_URL is a SQLite file');
  const start = performance.now();
  await seed(database, planOf(Number(values.scale)));
  if (values.baseline !== undefined)
    await seedBaselineDatabase(process.env.DATABASE_URL ?? '', values.baseline);
  process.stdout.write(`Loaded in ${((performance.now() - start) / 1000).toFixed(1)} s\n`);
}

/** Creates the baseline's database from the service's. */
async function seedBaselineDatabase(serviceUrl: string, name: string): Promise<void> {
  const url = new URL(serviceUrl);
  const service = decodeURIComponent(url.pathname.slice(1));
  url.pathname = `/${encodeURIComponent(name)}`;
  await createDatabase(serviceUrl, name);
  await seedBaseline(url.href, service);
}

runScript(main);
