import '../src/node-version';
import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { readOptions } from '../scripts/command-line';
import { growthTable, measureGrowth } from './growth/run';
import { costFailures, describeCosts } from './speed/costs-table';
import { measureCosts, measureSpeed, type Speed } from './speed/run';
import { describeSpeed, failures } from './speed/table';

const USAGE = `Usage: npm run bench [-- --only calls,messaging] [--skip growth,speed,sqlite,mariadb] [--rounds 5]
                    [--seconds 2] [--scale 1] [--processes 1] [--cpu] [--smoke] [--json <file>]
Measures the service against a hand-written server on the same data, and how its costs grow with the data. Exit code 1
if the two servers behave differently or a response under load was unexpected; a missed target is only reported.
--processes: number of workers of the service, on MariaDB only; the baseline is one process. --cpu: instead of requests a second, processor time (service + database), statements, rows and bytes of each line on
MariaDB, at 16 connections and at one. --smoke: a small data set and very short rounds, to check that the benchmark works. --json: writes the results as JSON.`;

const SMOKE = { scale: 0.01, rounds: 1, seconds: 0.2, warmUpSeconds: 0 };

async function main(): Promise<void> {
  const values = readOptions(USAGE, {
    only: { type: 'string' },
    skip: { type: 'string', default: '' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    scale: { type: 'string', default: '1' },
    processes: { type: 'string', default: '1' },
    cpu: { type: 'boolean', default: false },
    smoke: { type: 'boolean', default: false },
    json: { type: 'string' },
  });
  const wanted = values.only?.split(',');
  const skipped = new Set([...values.skip.split(','), ...(values.smoke ? ['growth'] : [])]);
  const processes = Number(values.processes);
  if (processes > 1) skipped.add('sqlite');
  const options = values.smoke
    ? { wanted, processes, ...SMOKE }
    : {
        wanted,
        processes,
        scale: Number(values.scale),
        rounds: Number(values.rounds),
        seconds: Number(values.seconds),
        warmUpSeconds: 0.5,
      };
  if (values.cpu) {
    const costs = await measureCosts(options);
    process.stdout.write(`\n${describeCosts(costs)}\n`);
    return finish(values.json, { costs }, costFailures(costs));
  }
  const speeds: Speed[] = [];
  for (const engine of ['mariadb', 'sqlite'] as const) {
    if (skipped.has('speed') || skipped.has(engine)) continue;
    const speed = await measureSpeed({ ...options, engine });
    speeds.push(speed);
    process.stdout.write(`\n${describeSpeed(speed)}\n`);
  }
  const growth = skipped.has('growth') ? {} : await measureGrowth(wanted);
  process.stdout.write(`\n${growthTable(growth)}\n`);
  finish(
    values.json,
    { speeds, growth },
    speeds.flatMap(({ results }) => failures(results)),
  );
}

/** Writes the results to the file, and reports what went wrong. */
function finish(file: string | undefined, results: object, wrong: string[]): void {
  if (file !== undefined) writeFileSync(file, JSON.stringify(results, null, 2));
  for (const line of wrong) process.stderr.write(`${line}\n`);
  if (wrong.length > 0) process.exitCode = 1;
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
