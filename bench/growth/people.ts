import { setTimeout as pause } from 'node:timers/promises';
import type { Principal } from '../../src/common/auth/principal';
import type { UserId } from '../../src/common/ids';
import { namePartsOf } from '../../src/common/name-parts';
import { Metrics } from '../../src/common/metrics';
import { DirectoryService } from '../../src/people/directory/directory.service';
import type { BenchApp, BenchPart } from './bench-app';
import { measure, type Row } from './measure';
import { openStreams } from './stream-crowd';

const SMALL_DIRECTORY = 200;
const LARGE_DIRECTORY = 200_000;
const CHUNK = 1_000;
const STREAMS = 10_000;
const WATCHED_SECONDS = 12;
const FIRST_ID = 3_000_000;

const FAMILIES = ['Adler', 'Brook', 'Curie', 'Dorn', 'Ekström', '王', '小林', 'Gauß', 'Hill', 'Ito'];

/** Inserts rows directly into the tables, as the service writes them. */
async function loadPeople({ dataSource }: BenchApp, from: number, to: number): Promise<void> {
  for (let first = from; first < to; first += CHUNK) {
    const people = Array.from({ length: Math.min(CHUNK, to - first) }, (_, index) => {
      const id = FIRST_ID + first + index;
      return { id, name: `${FAMILIES[id % FAMILIES.length]} ${id.toString(36)}` };
    });
    const users = people.map(
      ({ id, name }) => `(${id}, 'p${id}', 'p${id}', '${name}', '', 'user', 1, '2026-01-31 08:00:00.000')`,
    );
    const columns = 'id, account, account_key, name, name_key, role, status, created_at';
    await dataSource.query(`INSERT INTO users (${columns}) VALUES ${users.join(',')}`);
    const parts = people.flatMap(({ id, name }) => namePartsOf(name).map((part) => `('${part}', ${id})`));
    await dataSource.query(`INSERT INTO user_name_parts (part, user_id) VALUES ${parts.join(',')}`);
  }
}

/** Each search is sent by another user: the rate limit is thirty searches per user and minute. */
function createSearch({ app }: BenchApp): () => Promise<unknown> {
  const directory = app.get(DirectoryService);
  let asker = FIRST_ID + LARGE_DIRECTORY;
  return () => {
    asker += 1;
    const principal: Principal = { id: asker as UserId, role: 'admin', expiresAt: Infinity };
    return directory.search(principal, { keyword: FAMILIES[asker % FAMILIES.length] ?? '', limit: 20 });
  };
}

async function measureSearches(bench: BenchApp): Promise<Row[]> {
  await loadPeople(bench, 0, SMALL_DIRECTORY);
  const small = await measure(createSearch(bench));
  await loadPeople(bench, SMALL_DIRECTORY, LARGE_DIRECTORY);
  const large = await measure(createSearch(bench));
  const ratio = large.p50 / small.p50;
  return [
    { what: `a search by name among ${SMALL_DIRECTORY} people`, value: small.p50, unit: 'ms' },
    {
      what: `the same among ${LARGE_DIRECTORY}, relative`,
      value: ratio,
      unit: '×',
      target: '≤ 1.3',
      met: ratio <= 1.3,
    },
  ];
}

/** Number of presence rows of a kind that this instance has written. */
async function countWrittenRows({ app }: BenchApp, kind: string): Promise<number> {
  const metric = await app.get(Metrics).registry.getSingleMetric('callboard_presence_rows_total')?.get();
  return metric?.values.find(({ labels }) => labels.kind === kind)?.value ?? 0;
}

/** Cost of many open event streams of users whom no other user watches. */
async function measurePresence(bench: BenchApp): Promise<Row[]> {
  const users = Array.from({ length: STREAMS }, (_, index) => FIRST_ID + index);
  const tokens = await Promise.all(users.map((user) => bench.token(user)));
  const crowd = await openStreams(bench.url, tokens);
  try {
    await pause(2_000);
    const [opened, renewed] = [
      await countWrittenRows(bench, 'opened'),
      await countWrittenRows(bench, 'renewed'),
    ];
    await pause(WATCHED_SECONDS * 1_000);
    const since = (await countWrittenRows(bench, 'opened')) - opened;
    const renewals = ((await countWrittenRows(bench, 'renewed')) - renewed) / WATCHED_SECONDS;
    return [
      {
        what: `presence rows per user, ${STREAMS} users come online`,
        value: opened / STREAMS,
        unit: '×',
        target: '≤ 1',
        met: opened === STREAMS,
      },
      {
        what: 'presence rows while they stay online',
        value: renewals + since / WATCHED_SECONDS,
        unit: '/s',
        target: '≤ 1',
        met: since === 0 && renewals <= 1,
      },
    ];
  } finally {
    crowd.close();
  }
}

/** Searches in a directory that grows, and the cost of many online users. */
export const people: BenchPart = {
  name: 'people',
  run: async (bench) => [...(await measureSearches(bench)), ...(await measurePresence(bench))],
};
