import '../../src/node-version';
import { setTimeout as pause } from 'node:timers/promises';
import { readOptions } from '../../scripts/command-line';
import { MixedTraffic } from '../../test/support/mixed-traffic';
import { emptyDatabase } from '../growth/bench-app';
import { ATTACKS, startAttacker } from './attacker';
import { LoadClient } from './load-client';
import { growthOf } from './trend';
import { WatchedService } from './watched-service';

const USAGE = `Usage: npm run load [-- --minutes 15] [--share 0.7] [--attacks large,slow | none]
Measures the capacity of the production build for mixed traffic, doubles that load for a short time, from which it must
recover by itself, then sends a share of the capacity at a constant rate (open loop) for the given minutes and prints
latencies, errors and memory over time. Meanwhile an attacker at another address sends abusive requests. Exit code 1 if
any other client received an error, a stream ended, or memory grew. The request rate limit has its default. The database
is BENCH_DATABASE_URL, by default a throw-away MariaDB.`;

const SECRET = 'a-secret-of-the-load-test-with-32-bytes-or-more';
const USER_IDS = Array.from({ length: 500 }, (_, index) => index + 1);
const STREAMS = 200;
/** A user that the mixed traffic does not use. */
const ATTACKING_USER = 10_001;
const WARM_UP_SECONDS = 20;
const MEASURING_SECONDS = 20;
const SURGE_SECONDS = 20;
const SURGE = 2;
const WORKERS = 32;
const START_INTERVAL_MS = 5;
const REPORTS = 30;
const MAX_GROWTH = 0.1;
/**
 * Share of the run that is ignored when memory growth is measured: the heap grows to its working size and caches fill.
 */
const SETTLING_SHARE = 0.25;
const MIB = 1024 * 1024;

interface Outcome {
  failures: string[];
  started: number;
  inFlight: number;
}

/** A quarter of an hour writes most of a gigabyte. With a small buffer pool and log, the run would measure the disk. */
const LARGE_BUFFERS = ['--innodb-buffer-pool-size=2G', '--innodb-log-file-size=1G'];

async function main(): Promise<void> {
  const values = readOptions(USAGE, {
    minutes: { type: 'string', default: '15' },
    share: { type: 'string', default: '0.7' },
    attacks: { type: 'string', default: ATTACKS.join() },
  });
  const attacks = ATTACKS.filter((attack) => values.attacks.split(',').includes(attack));
  const seconds = Math.round(Number(values.minutes) * 60);
  const database = await emptyDatabase(process.env.BENCH_DATABASE_URL, LARGE_BUFFERS);
  const service = await WatchedService.start({
    NODE_ENV: 'test',
    DATABASE_URL: database.url,
    JWT_SECRET: SECRET,
    LOG_LEVEL: 'warn',
    // Fake values: media tokens are only generated, not used.
    AGORA_APP_ID: '0'.repeat(32),
    AGORA_APP_CERTIFICATE: '0'.repeat(32),
  });
  try {
    const client = new LoadClient(service.url, SECRET);
    const traffic = new MixedTraffic(client.send, USER_IDS);
    await traffic.prepare();
    for (const person of USER_IDS.slice(0, STREAMS)) await client.listen(person);
    const capacity = await measureCapacity(traffic, client);
    const rate = capacity.actions * Number(values.share);
    print(
      `capacity ${capacity.actions.toFixed(0)} actions/s, ${capacity.requests.toFixed(0)} requests/s; ` +
        `${STREAMS} streams; ${values.minutes} min at ${rate.toFixed(0)} actions/s`,
    );
    await surge(traffic, client, capacity.actions * SURGE);
    const token = await client.token(ATTACKING_USER);
    const attacker = await startAttacker({ url: service.url, token, attacks });
    const outcome = await keepRate(traffic, client, service, { rate, seconds });
    print(`attacks: ${attacks.join(', ') || 'none'}; answered ${JSON.stringify(await attacker.stop())}`);
    process.exitCode = reportResult(outcome, client, service.vitals.slice(-seconds)) ? 0 : 1;
  } finally {
    print(`exit code of the service ${await service.stop()}`);
    await database.drop();
  }
}

/** Closed-loop throughput: each user sends the next request when the response arrives. */
async function measureCapacity(
  traffic: MixedTraffic,
  client: LoadClient,
): Promise<{ actions: number; requests: number }> {
  let actions = 0;
  const keepActing = async (seconds: number): Promise<void> => {
    const end = performance.now() + seconds * 1000;
    const worker = async (): Promise<void> => {
      for (; performance.now() < end; actions += 1) await traffic.perform();
    };
    await Promise.all(Array.from({ length: WORKERS }, worker));
  };
  await keepActing(WARM_UP_SECONDS);
  actions = 0;
  const before = client.requests;
  await keepActing(MEASURING_SECONDS);
  return { actions: actions / MEASURING_SECONDS, requests: (client.requests - before) / MEASURING_SECONDS };
}

/** Offers more load than the service can handle. Prints the responses and how long the overload lasted. */
async function surge(traffic: MixedTraffic, client: LoadClient, rate: number): Promise<void> {
  client.latencies.reset();
  const began = performance.now();
  const outcome = await startRequests(traffic, { rate, seconds: SURGE_SECONDS });
  const ended = performance.now();
  while (outcome.inFlight > 0) await pause(START_INTERVAL_MS);
  const { latencies } = client;
  print(
    `surge: ${rate.toFixed(0)} actions/s for ${((ended - began) / 1000).toFixed(0)} s; ${outcome.started} started, ` +
      `${outcome.failures.length} rejected; p50 ${ms(latencies.percentile(50))} ms, slowest ${ms(latencies.max)} ms; ` +
      `idle ${((performance.now() - ended) / 1000).toFixed(1)} s later`,
  );
  const other = outcome.failures.find((failure) => !failure.includes(' 503 '));
  if (other !== undefined) throw new Error(`Unexpected error in the surge: ${other}`);
  // A request rejected in the middle of a call leaves users who are busy for the rest of the run.
  await traffic.endCalls();
}

/** Starts requests at a constant rate, regardless of how many are pending. `look` is called repeatedly meanwhile. */
async function startRequests(
  traffic: MixedTraffic,
  { rate, seconds }: { rate: number; seconds: number },
  look: (elapsed: number, outcome: Outcome) => void = () => undefined,
): Promise<Outcome> {
  const outcome: Outcome = { failures: [], started: 0, inFlight: 0 };
  const start = (): void => {
    outcome.started += 1;
    outcome.inFlight += 1;
    traffic
      .perform()
      .catch((error: unknown) => outcome.failures.push(String(error)))
      .finally(() => (outcome.inFlight -= 1));
  };
  const began = performance.now();
  for (let elapsed = 0; elapsed < seconds; elapsed = (performance.now() - began) / 1000) {
    while (outcome.started < elapsed * rate) start();
    look(elapsed, outcome);
    await pause(START_INTERVAL_MS);
  }
  return outcome;
}

/** Keeps the rate constant and prints progress. */
async function keepRate(
  traffic: MixedTraffic,
  client: LoadClient,
  service: WatchedService,
  { rate, seconds }: { rate: number; seconds: number },
): Promise<Outcome> {
  print('   time  requests/s   p50 ms   p99 ms   max ms  waiting  errors  RSS MiB  heap MiB  loop delay ms');
  const between = seconds / REPORTS;
  let nextReport = between;
  let { requests } = client;
  client.latencies.reset();
  const outcome = await startRequests(traffic, { rate, seconds }, (elapsed, soFar) => {
    if (elapsed < nextReport) return;
    print(describe(elapsed, (client.requests - requests) / between, client, service, soFar));
    requests = client.requests;
    client.latencies.reset();
    nextReport += between;
  });
  while (outcome.inFlight > 0) await pause(START_INTERVAL_MS);
  return outcome;
}

function describe(
  elapsed: number,
  throughput: number,
  { latencies }: LoadClient,
  { vitals }: WatchedService,
  { failures, inFlight }: Outcome,
): string {
  const { rss = 0, heapUsed = 0, loopDelay = 0 } = vitals.at(-1) ?? {};
  const columns: [text: string, width: number][] = [
    [`${elapsed.toFixed(0)} s`, 7],
    [throughput.toFixed(0), 11],
    [ms(latencies.percentile(50)), 8],
    [ms(latencies.percentile(99)), 8],
    [ms(latencies.max), 8],
    [String(inFlight), 8],
    [String(failures.length), 7],
    [(rss / MIB).toFixed(0), 8],
    [(heapUsed / MIB).toFixed(0), 9],
    [loopDelay.toFixed(0), 14],
  ];
  return columns.map(([text, width]) => text.padStart(width)).join(' ');
}

/** Prints the result. Returns whether all checks passed. */
function reportResult({ failures }: Outcome, client: LoadClient, vitals: WatchedService['vitals']): boolean {
  const settled = vitals.slice(Math.floor(vitals.length * SETTLING_SHARE));
  const growth = growthOf(settled.map(({ rss }) => rss));
  const isWell = failures.length === 0 && client.endedStreams === 0 && growth <= MAX_GROWTH;
  print(`errors ${failures.length}${failures.length > 0 ? `, the first: ${failures[0]}` : ''}`);
  print(`streams that ended ${client.endedStreams}, events received ${client.events}`);
  print(
    `memory growth after the first quarter ${(growth * 100).toFixed(1)} % (at most ${MAX_GROWTH * 100} %)`,
  );
  print(isWell ? 'PASSED' : 'FAILED');
  return isWell;
}

const ms = (microseconds: number): string => (microseconds / 1000).toFixed(1);

const print = (line: string): void => void process.stdout.write(`${line}\n`);

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
