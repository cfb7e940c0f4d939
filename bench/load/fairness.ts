import '../../src/node-version';
import { randomBytes } from 'node:crypto';
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { readOptions } from '../../scripts/command-line';
import type { Reply } from '../../test/support/mixed-traffic';
import { emptyDatabase } from '../growth/bench-app';
import { ATTACKS, startAttacker } from './attacker';
import { LoadClient } from './load-client';
import { WatchedService } from './watched-service';

const USAGE = `Usage: npm run load:fairness [-- --seconds 10] [--heavy groups,renames,...] [--attacked]
Measures the effect of one heavy user on the latency of other users. Twenty ordinary users without contact to the heavy
user send messages in single chats at a fixed rate (open loop), first alone and then beside each kind of heavy user.
Prints the latencies and statuses of both. Exit code 1 if a request of an ordinary user failed, or if the p95 of the
ordinary users beside a heavy user is more than three times the p95 without one. The request rate limit has its default
for all users. With --attacked, the attacker of load sends abusive requests meanwhile, both beside and without a heavy
user; its own effect is printed first. The database is BENCH_DATABASE_URL, by default a throw-away MariaDB.`;

const SECRET = 'a-secret-of-the-load-test-with-32-bytes-or-more';
const MAX_RATIO = 3;
const MEMBERS_OF_LARGE_GROUPS = 500;
const MEMBERS_OF_SMALL_GROUPS = 200;
/** The ordinary users have the lowest ids, so they may be members of the heavy users' groups. */
const USER_IDS = Array.from({ length: MEMBERS_OF_LARGE_GROUPS }, (_, index) => index + 1);
const ORDINARY_USERS = USER_IDS.slice(0, 20);
/** At this interval each user stays well below the request rate limit. */
const SEND_INTERVAL_MS = 400;
/** Each heavy user has a separate request rate limit. */
const FIRST_HEAVY = 10_001;
const ATTACKING_USER = 9_001;
const CONCURRENCY = 30;
const BURST = 600;
const DOWNLOADS = 60;
const LONG_MESSAGES = 100;
/** Random, so that a compressed page stays large. */
const longText = (): string => randomBytes(1_500).toString('base64');
const QUIET_MS = 1_000;
/** Prevents the p95 from depending on two or three requests. */
const MIN_SAMPLES = 400;
const MAX_ROUNDS = 10;

interface Fixture {
  client: LoadClient;
  /** The heavy user. */
  user: number;
  /** The heavy user's own group of 200, and a message in it. */
  group: number;
  message: number;
}

type HeavyRequest = (fixture: Fixture, index: number) => Promise<Pick<Reply, 'code'>>;

const createLargeGroup: HeavyRequest = ({ client, user }, index) =>
  client.send(user, 'POST', '/api/messages/conversations', {
    type: 'group',
    name: `Group ${index}`,
    member_ids: USER_IDS,
  });

/** Fills a page of the history with long messages. */
async function sendLongMessages({ client, user, group }: Fixture): Promise<void> {
  const path = `/api/messages/conversations/${group}/messages`;
  for (let index = 0; index < LONG_MESSAGES; index += 1)
    await client.send(user, 'POST', path, { type: 'text', content: longText() });
}

interface HeavyUser {
  concurrency: number;
  act: HeavyRequest;
  prepare?: (fixture: Fixture) => Promise<unknown>;
  /** Measures the ordinary users for the whole time, even after the heavy user has reached the rate limit. */
  isMeasuredToTheEnd?: boolean;
}

/** Kinds of heavy users: number of concurrent requests, and the request. */
const HEAVY_USERS: Record<string, HeavyUser> = {
  groups: { concurrency: CONCURRENCY, act: createLargeGroup },
  // Rejecting one burst takes half a second. The rate limit rejects a second one within the ten seconds of the
  // measurement.
  burst: { concurrency: BURST, act: createLargeGroup, isMeasuredToTheEnd: true },
  renames: {
    concurrency: CONCURRENCY,
    act: ({ client, user, group }, index) =>
      client.send(user, 'PUT', `/api/messages/conversations/${group}`, { name: `Name ${index}` }),
  },
  edits: {
    concurrency: CONCURRENCY,
    act: ({ client, user, message }, index) =>
      client.send(user, 'PUT', `/api/messages/${message}`, { content: `Text ${index}` }),
  },
  reactions: {
    concurrency: CONCURRENCY,
    act: ({ client, user, message }, index) =>
      client.send(user, 'PUT', `/api/messages/${message}/reactions`, {
        emoji: '👍',
        reacted: index % 2 === 0,
      }),
  },
  pages: {
    concurrency: DOWNLOADS,
    prepare: sendLongMessages,
    act: async ({ client, user, group }) => ({
      code: await client.download(
        user,
        `/api/messages/conversations/${group}/messages?per_page=100&mark_read=0`,
      ),
    }),
  },
  settings: {
    concurrency: CONCURRENCY,
    act: ({ client, user, group }, index) =>
      client.send(user, 'PUT', `/api/messages/conversations/${group}/settings`, {
        pinned: index % 2 === 0,
      }),
  },
};

interface Outcome {
  latencies: RecordableHistogram;
  /** Number of responses by `code` of the envelope. */
  codes: Record<number, number>;
}

const emptyOutcome = (): Outcome => ({ latencies: createHistogram(), codes: {} });

async function main(): Promise<void> {
  const values = readOptions(USAGE, {
    seconds: { type: 'string', default: '10' },
    heavy: { type: 'string', default: Object.keys(HEAVY_USERS).join() },
    attacked: { type: 'boolean', default: false },
  });
  const database = await emptyDatabase(process.env.BENCH_DATABASE_URL);
  const service = await WatchedService.start({
    NODE_ENV: 'test',
    DATABASE_URL: database.url,
    JWT_SECRET: SECRET,
    LOG_LEVEL: 'silent',
  });
  try {
    const client = new LoadClient(service.url, SECRET);
    for (const person of USER_IDS) await client.send(person, 'GET', '/api/auth/me');
    const chats = await openChats(client);
    const milliseconds = Number(values.seconds) * 1000;
    await sendOrdinaryRequests(client, chats, () => false, milliseconds / 4);
    const alone = await sendOrdinaryRequests(client, chats, () => false, milliseconds);
    print('alone', alone);
    let isFair = failuresOf(alone) === 0;
    const token = await client.token(ATTACKING_USER);
    const attacker = values.attacked
      ? await startAttacker({ url: service.url, token, attacks: [...ATTACKS] })
      : undefined;
    const without = attacker ? await sendOrdinaryRequests(client, chats, () => false, milliseconds) : alone;
    if (attacker) print('attacked', without, alone);
    isFair &&= failuresOf(without) === 0;
    for (const [index, name] of values.heavy.split(',').entries()) {
      const kind = HEAVY_USERS[name];
      if (kind === undefined) throw new Error(USAGE);
      const heavy = emptyOutcome();
      const beside = emptyOutcome();
      // When a heavy user reaches the rate limit, after about a second, the next one takes over until there are enough
      // samples.
      for (let round = 0; round < MAX_ROUNDS && beside.latencies.count < MIN_SAMPLES; round += 1) {
        const fixture = await createFixture(client, FIRST_HEAVY + index * MAX_ROUNDS + round);
        await kind.prepare?.(fixture);
        // Only requests sent while the heavy user is active are counted.
        let isOver = false;
        const attack = sendHeavyRequests(milliseconds, fixture, kind, heavy).then(() => (isOver = true));
        if (kind.isMeasuredToTheEnd)
          await sendOrdinaryRequests(client, chats, () => false, milliseconds, beside);
        else await sendOrdinaryRequests(client, chats, () => isOver, 2 * milliseconds, beside);
        await attack;
        await pause(QUIET_MS);
      }
      print(`beside ${name}`, beside, without);
      print(`  ${name}`, heavy);
      isFair &&= isFairTo(beside, without);
    }
    if (attacker) process.stdout.write(`attacks: ${JSON.stringify(await attacker.stop())}\n`);
    process.exitCode = isFair ? 0 : 1;
  } finally {
    await service.stop();
    await database.drop();
  }
}

/** Creates ten single chats of two ordinary users each. Returns the chat of each user. */
async function openChats(client: LoadClient): Promise<number[]> {
  return Promise.all(
    ORDINARY_USERS.map(async (person) => {
      const peer = person % 2 === 1 ? person + 1 : person - 1;
      return idOf(
        await client.send(person, 'POST', '/api/messages/conversations', { type: 'single', peer_id: peer }),
      );
    }),
  );
}

async function createFixture(client: LoadClient, user: number): Promise<Fixture> {
  const member_ids = USER_IDS.slice(0, MEMBERS_OF_SMALL_GROUPS - 1);
  const group = idOf(
    await client.send(user, 'POST', '/api/messages/conversations', {
      type: 'group',
      name: 'Own',
      member_ids,
    }),
  );
  const path = `/api/messages/conversations/${group}/messages`;
  const message = idOf(await client.send(user, 'POST', path, { type: 'text', content: 'First' }));
  return { client, user, group, message };
}

/** The ordinary users send, at staggered times, until `isOver` returns true or the time is up. */
async function sendOrdinaryRequests(
  client: LoadClient,
  chats: readonly number[],
  isOver: () => boolean,
  milliseconds: number,
  outcome = emptyOutcome(),
): Promise<Outcome> {
  const end = performance.now() + milliseconds;
  const pending: Promise<unknown>[] = [];
  for (let index = 0; performance.now() < end && !isOver(); index += 1) {
    const person = ORDINARY_USERS[index % ORDINARY_USERS.length] as number;
    const path = `/api/messages/conversations/${chats[index % ORDINARY_USERS.length]}/messages`;
    pending.push(
      record(outcome, () => client.send(person, 'POST', path, { type: 'text', content: `Text ${index}` })),
    );
    await pause(SEND_INTERVAL_MS / ORDINARY_USERS.length);
  }
  await Promise.all(pending);
  return outcome;
}

/** Sends requests at the given concurrency until the time is up or the rate limit is reached. */
async function sendHeavyRequests(
  milliseconds: number,
  fixture: Fixture,
  { concurrency, act }: { concurrency: number; act: HeavyRequest },
  outcome: Outcome,
): Promise<void> {
  const end = performance.now() + milliseconds;
  let index = 0;
  let isLimited = false;
  const worker = async (): Promise<void> => {
    while (performance.now() < end && !isLimited) {
      index += 1;
      const code = await record(outcome, () => act(fixture, index));
      isLimited ||= code === 429;
      // Respects `Retry-After: 1`.
      if (code === 503) await pause(1_000);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

async function record(
  { latencies, codes }: Outcome,
  ask: () => Promise<Pick<Reply, 'code'>>,
): Promise<number> {
  const began = performance.now();
  const { code } = await ask();
  latencies.record(Math.max(1, Math.round((performance.now() - began) * 1000)));
  codes[code] = (codes[code] ?? 0) + 1;
  return code;
}

const failuresOf = ({ codes }: Outcome): number =>
  Object.entries(codes).reduce((sum, [code, count]) => sum + (code === '0' ? 0 : count), 0);

const ratioOf = (beside: Outcome, without: Outcome): number =>
  beside.latencies.percentile(95) / without.latencies.percentile(95);

const isFairTo = (beside: Outcome, without: Outcome): boolean =>
  failuresOf(beside) === 0 && ratioOf(beside, without) <= MAX_RATIO;

function idOf({ code, data }: Reply): number {
  if (code !== 0) throw new Error(`Refused with ${code}`);
  return (data as { id: number }).id;
}

function print(what: string, outcome: Outcome, without?: Outcome): void {
  const { latencies, codes } = outcome;
  const at = (percentile: number): string => (latencies.percentile(percentile) / 1000).toFixed(1);
  const ratio = without ? `, p95 ${ratioOf(outcome, without).toFixed(1)} x` : '';
  process.stdout.write(
    `${what.padEnd(20)} p50 ${at(50)} ms, p95 ${at(95)} ms, max ${(latencies.max / 1000).toFixed(1)} ms` +
      `${ratio}; codes ${JSON.stringify(codes)}\n`,
  );
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
