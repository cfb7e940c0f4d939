import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { growthTable, measureGrowth } from './growth/run';
import { measureSpeed, type Speed } from './speed/run';
import { failures, speedTable } from './speed/table';

/*
 * npm run bench [-- --only calls,messaging] [--skip growth,speed,sqlite] [--rounds 5] [--seconds 2] [--scale 1] [--json]
 * Measures the service against a hand-written server on the same data, and how its costs grow. Exit code 1 when any
 * answer under load was not the expected one; a missed target is only said.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      skip: { type: 'string', default: '' },
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '2' },
      scale: { type: 'string', default: '1' },
      json: { type: 'boolean', default: false },
    },
  });
  const wanted = values.only?.split(',');
  const skipped = values.skip.split(',');
  const options = {
    wanted,
    scale: Number(values.scale),
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
  };
  const speeds: Speed[] = [];
  const say = (text: string): void => void (values.json || process.stdout.write(`${text}\n`));
  for (const engine of ['mariadb', 'sqlite'] as const) {
    if (skipped.includes('speed') || skipped.includes(engine)) continue;
    const speed = await measureSpeed({ ...options, engine });
    speeds.push(speed);
    say(`\n${describe(speed)}`);
  }
  const growth = skipped.includes('growth') ? {} : await measureGrowth(wanted);
  say(`\n${growthTable(growth)}`);
  if (values.json) process.stdout.write(`${JSON.stringify({ speeds, growth }, null, 2)}\n`);

  const wrong = speeds.flatMap(({ results }) => failures(results));
  for (const line of wrong) process.stderr.write(`${line}\n`);
  if (wrong.length > 0) process.exitCode = 1;
}

function describe({ engine, results, atRest }: Speed): string {
  const rest = atRest.map(
    ({ server, startMs, residentMiB }) =>
      `${server}: ready after ${startMs.toFixed(0)} ms, ${residentMiB.toFixed(0)} MiB at rest`,
  );
  return [engine, ...rest, speedTable(results)].join('\n');
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
