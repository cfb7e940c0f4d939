import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { loadDatabaseConfig } from '../../src/config/database-config';
import { planOf } from './plan';
import { seed } from './seed';

/*
 * npm run bench:seed [-- --scale 0.01]
 * Loads the benchmark's data set into the empty database that DATABASE_URL names.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { scale: { type: 'string', default: '1' } } });
  const start = performance.now();
  await seed(loadDatabaseConfig(process.env), planOf(Number(values.scale)));
  process.stdout.write(`Loaded in ${((performance.now() - start) / 1000).toFixed(1)} s\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
