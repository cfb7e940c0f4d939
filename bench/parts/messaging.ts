import { performance } from 'node:perf_hooks';
import type { DataSource } from 'typeorm';
import type { BenchApp } from '../bench-app';
import { measure, type Row } from '../measure';
import type { Part } from './index';

const HISTORY = 1_000_000;
const LISTED = 20_000;
const CROWD = 5_000;
const SENDS = 600;
const SENDERS = 8;

/** Users of the benchmark; the rest are 10,001 and up. */
const READER = 1;
const PEER = 2;
const BUSY = 3;
const QUIET = 4;

const NOW = "'2026-01-01 00:00:00.000'";

/** The rows 0 … 999,999, made by the database itself. */
const NUMBERS = (() => {
  const digit =
    '(SELECT 0 AS d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9)';
  const places = ['a', 'b', 'c', 'e', 'f', 'g'];
  const value = places.map((place, power) => `${place}.d * ${10 ** power}`).join(' + ');
  return `(SELECT ${value} AS n FROM ${places.map((place) => `${digit} ${place}`).join(' CROSS JOIN ')}) numbers`;
})();

const CONVERSATION =
  'id, type, single_key, name, avatar, member_count, max_seq, last_recalled_seq, first_read_seq, pulled, created_at';
const MEMBER =
  'conversation_id, user_id, type, role, join_seq, joined_at, read_seq, pinned, muted, hidden, hidden_seq, pulled, sort_at';
const MESSAGE = 'conversation_id, seq, id, sender_id, type, content, extra, created_at';

/** Costs of conversations: how they grow with the history, with the number of conversations, and with the members. */
export const messaging: Part = {
  name: 'messaging',
  async run(bench: BenchApp): Promise<Row[]> {
    await load(bench.dataSource, bench.engine);
    return [
      ...(await history(bench)),
      ...(await lists(bench)),
      ...(await crowds(bench)),
      ...(await sends(bench)),
    ];
  },
};

async function load(dataSource: DataSource, engine: string): Promise<void> {
  const run = (sql: string): Promise<unknown> => dataSource.query(sql);
  const text = (...parts: string[]): string =>
    engine === 'better-sqlite3'
      ? parts.map((part) => `(${part})`).join(' || ')
      : `CONCAT(${parts.join(', ')})`;
  const insert = (
    table: string,
    columns: string,
    values: string,
    count: number,
    where = '',
  ): Promise<unknown> =>
    run(`INSERT INTO ${table} (${columns}) SELECT ${values} FROM ${NUMBERS} WHERE n < ${count} ${where}`);
  const user = `'user', 1, ${NOW}`;
  await insert('users', 'id, name, role, status, created_at', `n + 1, ${text("'User '", 'n')}, ${user}`, 10);
  await insert(
    'users',
    'id, name, role, status, created_at',
    `n + 10001, ${text("'User '", 'n')}, ${user}`,
    LISTED,
  );

  // 1: a single chat with a long history. 2: a large group, 3: a single chat to send in, 4: a small group.
  const group = (id: number, members: number, pulled: number, seq: number): Promise<unknown> =>
    run(`INSERT INTO conversations (${CONVERSATION})
      VALUES (${id}, 'group', NULL, 'Group ${id}', NULL, ${members}, ${seq}, 0, 0, ${pulled}, ${NOW})`);
  const single = (id: number, key: string, seq: number): Promise<unknown> =>
    run(`INSERT INTO conversations (${CONVERSATION})
      VALUES (${id}, 'single', '${key}', '', NULL, 2, ${seq}, 0, 0, 0, ${NOW})`);
  const member = (conversation: number, id: number, type: string, read: number): Promise<unknown> =>
    run(`INSERT INTO conversation_members (${MEMBER})
      VALUES (${conversation}, ${id}, '${type}', 'member', 1, ${NOW}, ${read}, 0, 0, 0, 0, 0, ${NOW})`);
  const messages = (conversation: number, firstId: number, count: number): Promise<unknown> =>
    insert(
      'messages',
      MESSAGE,
      `${conversation}, n + 1, n + ${firstId}, CASE WHEN n % 2 = 0 THEN ${READER} ELSE ${PEER} END, 'text', ${text("'Message number '", 'n + 1')}, NULL, ${NOW}`,
      count,
    );
  await single(1, `${READER}:${PEER}`, HISTORY);
  await member(1, READER, 'single', HISTORY);
  await member(1, PEER, 'single', HISTORY);
  await messages(1, 1, HISTORY);
  // Every hundred messages were read in one go.
  for (const reader of [READER, PEER])
    await insert(
      'read_intervals',
      'conversation_id, user_id, to_seq, from_seq, read_at',
      `1, ${reader}, (n + 1) * 100, n * 100 + 1, ${NOW}`,
      HISTORY / 100,
    );

  await group(2, CROWD, 1, 10_000);
  await messages(2, 2_000_001, 10_000);
  // The members stand anywhere in the last thousand messages.
  await insert(
    'conversation_members',
    MEMBER,
    `2, CASE WHEN n < 2 THEN n + 1 ELSE n + 10001 END, 'group', 'member', 1, ${NOW}, CASE WHEN n < 2 THEN 10000 ELSE 9000 + (n * 7919) % 1000 END, 0, 0, 0, 0, 1, ${NOW}`,
    CROWD,
  );
  await single(3, '5:6', 0);
  await member(3, 5, 'single', 0);
  await member(3, 6, 'single', 0);
  await group(4, 20, 0, 0);
  await insert(
    'conversation_members',
    MEMBER,
    `4, n + 10001, 'group', 'member', 1, ${NOW}, 0, 0, 0, 0, 0, 0, ${NOW}`,
    20,
  );

  for (const [owner, count, from] of [
    [BUSY, LISTED, 100_000],
    [QUIET, 20, 200_000],
  ] as const) {
    const id = `n + ${from}`;
    await insert(
      'conversations',
      CONVERSATION,
      `${id}, 'single', ${text(`'${owner}:'`, 'n + 10001')}, '', NULL, 2, 3, 0, 0, 0, ${NOW}`,
      count,
    );
    for (const [who, read] of [
      [String(owner), 1],
      ['n + 10001', 3],
    ] as const)
      await insert(
        'conversation_members',
        MEMBER,
        `${id}, ${who}, 'single', 'member', 1, ${NOW}, ${read}, 0, 0, 0, 0, 0, ${NOW}`,
        count,
      );
    for (const seq of [1, 2, 3])
      await insert(
        'messages',
        MESSAGE,
        `${id}, ${seq}, n + ${from * 10 + seq * 100_000}, n + 10001, 'text', 'hello', NULL, ${NOW}`,
        count,
      );
    await run(`INSERT INTO conversation_counts (user_id, type, total) VALUES (${owner}, 'single', ${count})`);
  }
  // New messages get ids above those made here.
  await run('INSERT INTO message_ids (id, conversation_id, seq) VALUES (100000000, 1, 1)');
  if (engine === 'better-sqlite3') await run('ANALYZE');
  else await run('ANALYZE TABLE conversations, conversation_members, messages, read_intervals');
}

type Get = (path: string) => Promise<unknown>;

async function getterOf(bench: BenchApp, user: number): Promise<Get> {
  const headers = { authorization: `Bearer ${await bench.token(user)}` };
  return async (path) => {
    const response = await bench.app.inject({ method: 'GET', url: `/api/messages/${path}`, headers });
    if (response.statusCode !== 200) throw new Error(response.body);
  };
}

async function history(bench: BenchApp): Promise<Row[]> {
  const get = await getterOf(bench, READER);
  const page = (number: number) => () => get(`conversations/1/messages?per_page=50&page=${number}`);
  const [first, tenThousandth, last] = await together([page(1), page(10_000), page(HISTORY / 50)]);
  return [
    { what: 'history of 1,000,000 messages: page 1', value: first, unit: 'ms' },
    ratio('history: page 10,000 to page 1', tenThousandth, first, 1.2),
    ratio('history: the last page to page 1', last, first, 1.2),
  ];
}

async function lists(bench: BenchApp): Promise<Row[]> {
  const [busy, quiet] = [await getterOf(bench, BUSY), await getterOf(bench, QUIET)];
  const [few, many, typed, deep] = await together([
    () => quiet('conversations'),
    () => busy('conversations'),
    () => busy('conversations?type=single'),
    () => busy(`conversations?page=${LISTED / 20}`),
  ]);
  const total = await measure(() => busy('unread-count'), 30);
  return [
    { what: 'list of a user with 20 conversations', value: few, unit: 'ms' },
    ratio('list: 20,000 conversations to 20', many, few, 1.5),
    ratio('list of one type: 20,000 conversations to 20', typed, few, 1.5),
    { what: 'list: the last page of 20,000 to the first', value: deep / many, unit: '×' },
    { what: 'unread count over 20,000 conversations', value: total.p50, unit: 'ms' },
  ];
}

async function crowds(bench: BenchApp): Promise<Row[]> {
  const get = await getterOf(bench, READER);
  const page = (number: number) => () => get(`conversations/2/messages?page=${number}`);
  const [newest, tenth, hundredth] = await together([page(1), page(10), page(100)]);
  return [
    bar('group of 5,000: page 1 with reader counts', newest, 5),
    bar('group of 5,000: page 10', tenth, 5),
    bar('group of 5,000: page 100', hundredth, 5),
  ];
}

async function sends(bench: BenchApp): Promise<Row[]> {
  const crowd = Array.from({ length: SENDERS }, (_, index) => 10_004 + index);
  // Taking turns, so that both have the machine in the same moods.
  const rates = { single: [] as number[], small: [] as number[], large: [] as number[] };
  for (let round = 0; round < 4; round += 1) {
    rates.single.push(await sendRate(bench, 3, [5, 6]));
    rates.small.push(await sendRate(bench, 4, crowd));
    rates.large.push(await sendRate(bench, 2, crowd));
  }
  const [single, small, large] = [best(rates.single), best(rates.small), best(rates.large)];
  return [
    { what: 'sends in one single chat, 8 at a time', value: single, unit: '/s' },
    { what: 'sends in one group of 20', value: small, unit: '/s' },
    { what: 'sends in one group of 5,000', value: large, unit: '/s' },
    {
      what: 'sends: a group of 5,000 to a single chat',
      value: large / single,
      unit: '×',
      target: '≥ 0.5',
      met: large / single >= 0.5,
    },
  ];
}

/** The best of some rates after the first, which is the warm-up. */
const best = (rates: number[]): number => Math.max(...rates.slice(1));

/** Messages per second into one conversation by eight clients at a time. */
async function sendRate(bench: BenchApp, conversation: number, users: number[]): Promise<number> {
  const tokens = await Promise.all(users.map((user) => bench.token(user)));
  const clients = Array.from({ length: SENDERS }, (_, index) => tokens[index % tokens.length]);
  const start = performance.now();
  await Promise.all(
    clients.map(async (bearer) => {
      for (let count = 0; count < SENDS / SENDERS; count += 1) {
        const response = await bench.app.inject({
          method: 'POST',
          url: `/api/messages/conversations/${conversation}/messages`,
          headers: { authorization: `Bearer ${bearer}` },
          payload: { type: 'text', content: 'hello' },
        });
        if (response.statusCode !== 200) throw new Error(response.body);
      }
    }),
  );
  return SENDS / ((performance.now() - start) / 1000);
}

/** Medians of several things, measured in turns so that the machine treats them alike. */
async function together<const Works extends readonly (() => Promise<unknown>)[]>(
  works: Works,
): Promise<{ [Index in keyof Works]: number }> {
  const rounds: number[][] = works.map(() => []);
  for (let round = 0; round < 5; round += 1)
    for (const [index, work] of works.entries()) rounds[index]?.push((await measure(work, 60)).p50);
  const medians = rounds.map((values) => values.toSorted((a, b) => a - b)[2] ?? 0);
  return medians as { [Index in keyof Works]: number };
}

function ratio(what: string, value: number, base: number, limit: number): Row {
  const times = value / base;
  return { what, value: times, unit: '×', target: `≤ ${limit}`, met: times <= limit };
}

const bar = (what: string, value: number, limit: number): Row => ({
  what,
  value,
  unit: 'ms',
  target: `< ${limit}`,
  met: value < limit,
});
