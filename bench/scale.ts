import '../src/node-version';
import { readFileSync } from 'node:fs';
import { markdownTable } from './markdown';
import type { Speed } from './speed/run';

const USAGE = `Usage: npm run bench:scale -- <file>
Extrapolates the results of npm run bench -- --json <file> to several machines: at how many users which part of the
system reaches its limit, and what read replicas or sharded databases would gain.`;

/** Requests per second of a thousand online users: an estimate. Replace it with measured rates. */
const MIX: Record<string, number> = {
  'notifications: unread count': 10,
  'notifications: page 1': 3,
  'notifications: mark one read': 3,
  'messaging: conversations, page 1': 10,
  'messaging: history, page 1': 15,
  'messaging: send to many groups': 6,
  'device-groups: list, page 1': 0.2,
  'calls: call, accept, hang up': 0.3,
};

/** Maximum processor utilisation; above it, waiting times grow faster than load. */
const BUSY = 0.6;
const DATABASE_CORES = 16;
/** Processes of one instance (`WEB_CONCURRENCY`), and the connections that they share. */
const WORKERS = 4;
const POOL = 15;
const MAX_CONNECTIONS = 1_000;
/** Half of a 1 Gbit/s link to each replica, in bytes per second. */
const MAX_LOG = 62_500_000;
const MAX_STREAMS = 10_000;
const THOUSANDS = [5, 10, 20, 40, 80, 160];
const SHARDS = [1, 2, 4, 8, 16];
const DRAWS = 20_000;

interface Load {
  /** Milliseconds of processor time per second, for each thousand users. */
  service: number;
  reads: number;
  writes: number;
  /** Bytes per second. */
  logged: number;
  commits: number;
}

/** Returns the load of a thousand users. */
function loadOf({ results }: Speed): Load {
  const load: Load = { service: 0, reads: 0, writes: 0, logged: 0, commits: 0 };
  for (const [title, perSecond] of Object.entries(MIX)) {
    const result = results.find(({ part, name }) => `${part}: ${name}` === title);
    if (result === undefined) throw new Error(`The file has no results of ${title}`);
    const { serverCpu, databaseCpu, logged } = result.service;
    load.service += perSecond * serverCpu;
    load[result.kind === 'read' ? 'reads' : 'writes'] += perSecond * databaseCpu;
    if (result.kind === 'write') {
      load.logged += perSecond * logged;
      load.commits += perSecond * (title.startsWith('calls') ? 3 : 1);
    }
  }
  return load;
}

/** Returns the required resources, one line per number of users. */
function needs(load: Load, lookMs: number): string[][] {
  const rows = THOUSANDS.map((thousands) => {
    const processes = Math.max(
      Math.ceil((thousands * load.service) / 1000 / BUSY),
      Math.ceil((thousands * 1000) / MAX_STREAMS),
    );
    // One poll per second covers every connected user, on whichever instance the stream is open.
    const looks = thousands * lookMs;
    const cores = (thousands * (load.reads + load.writes) + looks) / 1000 / BUSY;
    const log = thousands * load.logged;
    const connections = Math.ceil(processes / WORKERS) * POOL;
    const wakeUps = thousands * load.commits * processes;
    const over = [
      cores > DATABASE_CORES && 'database',
      log > MAX_LOG && 'log',
      connections > MAX_CONNECTIONS && 'connections',
    ].filter((what) => what !== false);
    return [
      `${thousands},000`,
      String(processes),
      cores.toFixed(1),
      String(connections),
      (log / 1e6).toFixed(2),
      (looks / 1000).toFixed(2),
      wakeUps.toFixed(0),
      over.join(', '),
    ];
  });
  const head = [
    'users online',
    'processes',
    'database cores',
    'connections',
    'log MB/s',
    'polling (cores)',
    'wake-ups/s',
    'exceeded',
  ];
  return [head, ...rows];
}

/** Returns by how much read replicas raise the database's capacity. Every replica repeats all writes. */
function replicas({ reads, writes }: Load): string[][] {
  const alone = reads + writes;
  const rows = [0, 1, 2, 4, 8].map((count) => {
    // The primary takes an equal share of the reads. The busiest server limits the throughput.
    const share = reads / (count + 1);
    return [String(count), (alone / (writes + share)).toFixed(2)];
  });
  return [['replicas', 'load carried'], ...rows, ['unlimited', (alone / writes).toFixed(2)]];
}

/**
 * Returns how many shards a message touches: the shard of its conversation, and those of the members whose events and
 * lists it writes. Users and conversations are assigned to shards at random, with the same sequence in every run.
 */
function shardsTouched(members: number, shards: number): { mean: number; alone: number } {
  let state = 1;
  const draw = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * shards);
  };
  let touched = 0;
  let alone = 0;
  for (let round = 0; round < DRAWS; round += 1) {
    const seen = new Set(Array.from({ length: members + 1 }, draw));
    touched += seen.size;
    if (seen.size === 1) alone += 1;
  }
  return { mean: touched / DRAWS, alone: alone / DRAWS };
}

function sharding(): string[][] {
  const rows = SHARDS.map((shards) => [
    String(shards),
    ...[2, 10, 50].flatMap((members) => {
      const { mean, alone } = shardsTouched(members, shards);
      return [mean.toFixed(1), `${(alone * 100).toFixed(0)} %`];
    }),
  ]);
  const head = ['shards', ...[2, 10, 50].flatMap((members) => [`shards of a send to ${members}`, 'single'])];
  return [head, ...rows];
}

const file = process.argv[2] ?? '';
if (file === '' || file.startsWith('-')) {
  process.stdout.write(`${USAGE}\n`);
  process.exit(file === '--help' ? 0 : 1);
}
const { speeds } = JSON.parse(readFileSync(file, 'utf8')) as { speeds: Speed[] };
const speed = speeds.find(({ engine }) => engine === 'mariadb');
if (speed === undefined) throw new Error('The file has no results of MariaDB');
const load = loadOf(speed);
process.stdout.write(
  [
    `1,000 users: ${load.service.toFixed(0)} ms of service and ${(load.reads + load.writes).toFixed(0)} ms of database processor time a second (${((100 * load.reads) / (load.reads + load.writes)).toFixed(0)} % reads), ${(load.logged / 1000).toFixed(0)} kB of log, ${load.commits.toFixed(0)} commits`,
    markdownTable(needs(load, (speed.cursorQuery.databaseCpu * 1000) / speed.cursorQuery.listeners)),
    markdownTable(replicas(load)),
    markdownTable(sharding()),
    '',
  ].join('\n\n'),
);
