import { performance } from 'node:perf_hooks';
import type { BenchApp, BenchPart } from './bench-app';
import { measure, type Row } from './measure';
import {
  BUSY,
  HIDER,
  HISTORY,
  LISTED,
  loadConversations,
  PLAIN,
  QUIET,
  READER,
  TALK,
} from './messaging-data';

const SENDS = 600;
const SENDERS = 8;

/** Cost of conversations as the history, the number of conversations, and the number of members grow. */
export const messaging: BenchPart = {
  name: 'messaging',
  async run(bench: BenchApp): Promise<Row[]> {
    await loadConversations(bench.dataSource, bench.engine);
    return [
      ...(await history(bench)),
      ...(await lists(bench)),
      ...(await crowds(bench)),
      ...(await sends(bench)),
    ];
  },
};

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
  const talk = (id: number) => () => get(`conversations/${id}/messages?per_page=50`);
  const [plain, full] = await together([talk(PLAIN), talk(TALK)]);
  return [
    { what: 'history of 1,000,000 messages: page 1', value: first, unit: 'ms' },
    ratio('history: page 10,000 to page 1', tenThousandth, first, 1.2),
    ratio('history: the last page to page 1', last, first, 1.2),
    atLeast(
      'history: speed of a page whose messages all reply, mention and have reactions',
      plain / full,
      0.6,
    ),
  ];
}

async function lists(bench: BenchApp): Promise<Row[]> {
  const [busy, quiet, hider] = [
    await getterOf(bench, BUSY),
    await getterOf(bench, QUIET),
    await getterOf(bench, HIDER),
  ];
  const [few, many, typed, deep, hidden, total, fewTotal] = await together([
    () => quiet('conversations'),
    () => busy('conversations'),
    () => busy('conversations?type=single'),
    () => busy(`conversations?page=${LISTED / 20}`),
    () => hider('conversations'),
    () => busy('unread-count'),
    () => quiet('unread-count'),
  ]);
  return [
    { what: 'list of a user with 20 conversations', value: few, unit: 'ms' },
    ratio('list: 20,000 conversations to 20', many, few, 1.5),
    ratio('list of one type: 20,000 conversations to 20', typed, few, 1.5),
    { what: 'list: the last page of 20,000 to the first', value: deep / many, unit: '×' },
    ratio('list: 20,000 hidden conversations to 20 shown', hidden, few, 1.2),
    { what: 'unread count over 20,000 conversations', value: total, unit: 'ms' },
    ratio('unread count: 20,000 conversations to 20', total, fewTotal, 1.2),
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
  // The groups take turns, so that other load on the machine affects all alike.
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
    atLeast('sends: a group of 5,000 to a single chat', large / single, 0.5),
  ];
}

/** Highest rate, ignoring the first, which is the warm-up. */
const best = (rates: number[]): number => Math.max(...rates.slice(1));

/** Messages per second into one conversation, sent by eight concurrent clients. */
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

/**
 * Returns the medians of several works: the best of five each, measured in turn so that other load affects all alike.
 */
async function together<const Works extends readonly (() => Promise<unknown>)[]>(
  works: Works,
): Promise<{ [Index in keyof Works]: number }> {
  const rounds: number[][] = works.map(() => []);
  for (let round = 0; round < 5; round += 1)
    for (const [index, work] of works.entries()) rounds[index]?.push((await measure(work, 60)).p50);
  return rounds.map((values) => Math.min(...values)) as { [Index in keyof Works]: number };
}

function ratio(what: string, value: number, base: number, limit: number): Row {
  const times = value / base;
  return { what, value: times, unit: '×', target: `≤ ${limit}`, met: times <= limit };
}

const atLeast = (what: string, times: number, limit: number): Row => ({
  what,
  value: times,
  unit: '×',
  target: `≥ ${limit}`,
  met: times >= limit,
});

const bar = (what: string, value: number, limit: number): Row => ({
  what,
  value,
  unit: 'ms',
  target: `< ${limit}`,
  met: value < limit,
});
