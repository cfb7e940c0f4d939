import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { PARTS } from './parts';
import { openBench } from './bench-app';

/*
 * npm run bench [-- --only <part>[,<part>]] [--json]
 * Loads a large data set into an empty database and measures how cost grows; figures are ratios within one run.
 * The database is a throw-away MariaDB, or the one that BENCH_DATABASE_URL names.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { only: { type: 'string' }, json: { type: 'boolean', default: false } },
  });
  const wanted = values.only?.split(',');
  const results: Record<string, unknown> = {};
  for (const part of PARTS.filter(({ name }) => wanted === undefined || wanted.includes(name))) {
    const bench = await openBench();
    try {
      const rows = await part.run(bench);
      results[part.name] = rows;
      if (!values.json) {
        process.stdout.write(`\n${part.name} (${bench.engine})\n`);
        for (const { what, value, unit, target, met } of rows) {
          const verdict = target === undefined ? '' : `  target ${target}  ${met ? 'met' : 'MISSED'}`;
          process.stdout.write(`  ${what.padEnd(60)} ${value.toFixed(2).padStart(9)} ${unit}${verdict}\n`);
        }
      }
    } finally {
      await bench.close();
    }
  }
  if (values.json) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
