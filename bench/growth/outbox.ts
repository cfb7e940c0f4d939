import { setTimeout as pause } from 'node:timers/promises';
import { DomainEvents } from '../../src/outbox/domain-events';
import { OutboxDispatcher } from '../../src/outbox/outbox-dispatcher';
import { median } from '../speed/rounds';
import type { BenchApp, BenchPart } from './bench-app';
import type { Row } from './measure';
import { Receiver } from './receiver';

const CONCURRENCY = 16;
const ROUNDS = 7;
const ROUND_MS = 3_000;
/** Time for the database to purge the rows of a round. */
const SETTLE_MS = 1_000;
const UNDISPATCHED = `SELECT id FROM domain_events
  WHERE position IS NULL OR position > (SELECT MIN(position) FROM domain_event_positions) LIMIT 1`;
/**
 * With one endpoint, throughput may fall by 10 %. Without endpoints it must not fall; 0.97 allows for measurement
 * noise.
 */
const TARGETS = { one: 0.9, none: 0.97 };

/** `off`: without an outbox; `none`: no event type has a subscriber; `one`: one endpoint subscribes to all types. */
type Mode = 'off' | 'none' | 'one';
const MODES: Mode[] = ['off', 'none', 'one'];

/** Cost of domain events for the requests that cause them. */
export const outbox: BenchPart = {
  name: 'outbox',
  async run(bench) {
    const receiver = await Receiver.start();
    try {
      const setMode = await prepare(bench, receiver);
      return [
        ...(await compare('messages to single chats', await createSend(bench), bench, setMode)),
        ...(await compare('calls, answered and hung up', await createCall(bench), bench, setMode)),
      ];
    } finally {
      receiver.stop();
    }
  },
};

async function prepare(bench: BenchApp, { url }: Receiver): Promise<(mode: Mode) => Promise<void>> {
  const { app } = bench;
  const headers = { authorization: `Bearer ${await bench.token(999, 'admin')}` };
  const ask = async (method: 'POST' | 'PUT', path: string, payload: object): Promise<number> => {
    const response = await app.inject({ method, url: `/api/admin/webhooks${path}`, headers, payload });
    const { code, data } = JSON.parse(response.body) as { code: number; data: { id: number } };
    if (code !== 0) throw new Error(response.body);
    return data.id;
  };
  const endpoint = await ask('POST', '', { url, event_types: ['*'], status: 0 });
  const domainEvents = app.get(DomainEvents);
  const record = domainEvents.record.bind(domainEvents);
  return async (mode) => {
    domainEvents.record = mode === 'off' ? () => undefined : record;
    await ask('PUT', `/${endpoint}`, { status: mode === 'one' ? 1 : 0 });
  };
}

/**
 * Units of work per second in each mode, with the dispatch of its domain events, while they are delivered. Medians of
 * alternating rounds.
 */
async function compare(
  what: string,
  work: (place: number) => Promise<void>,
  { app, dataSource }: BenchApp,
  setMode: (mode: Mode) => Promise<void>,
): Promise<Row[]> {
  const rates: Record<Mode, number[]> = { off: [], none: [], one: [] };
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const mode of round % 2 === 0 ? MODES : MODES.toReversed()) {
      await setMode(mode);
      const start = performance.now();
      let done = 0;
      const worker = async (_: unknown, place: number): Promise<void> => {
        for (; performance.now() - start < ROUND_MS; done += 1) await work(place);
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, worker));
      // Dispatches immediately: the dispatcher's delay is not work. A batch of its own may be running.
      await app.get(OutboxDispatcher).dispatch();
      while ((await dataSource.query<object[]>(UNDISPATCHED)).length > 0) await pause(1);
      const seconds = (performance.now() - start) / 1_000;
      // Pending deliveries would slow down the next mode.
      await setMode('none');
      await dataSource.query('DELETE FROM webhook_deliveries');
      await pause(SETTLE_MS);
      if (round >= 0) rates[mode].push(done / seconds);
    }
  }
  const ratio = (mode: Mode): number =>
    median(rates[mode].map((rate, round) => rate / (rates.off[round] ?? rate)));
  const rowOf = (mode: 'one' | 'none', who: string): Row => ({
    what: `${what}: ${who}, relative to no outbox`,
    value: ratio(mode),
    unit: '×',
    target: `≥ ${TARGETS[mode]}`,
    met: ratio(mode) >= TARGETS[mode],
  });
  return [
    { what: `${what}: no outbox`, value: median(rates.off), unit: '/s' },
    rowOf('none', 'no subscriber'),
    rowOf('one', 'an endpoint for all events'),
  ];
}

/** The two users of a worker. */
const usersOf = (place: number): [number, number] => [1_000 + 2 * place, 1_001 + 2 * place];

/** Returns a function that sends a request as a user and returns the `data` of the response. */
function createSender(bench: BenchApp) {
  const tokens = new Map<number, string>();
  return async <T>(user: number, url: string, payload: object = {}): Promise<T> => {
    const token = tokens.get(user) ?? (await bench.token(user));
    tokens.set(user, token);
    const headers = { authorization: `Bearer ${token}` };
    const response = await bench.app.inject({ method: 'POST', url, headers, payload });
    const { code, data } = JSON.parse(response.body) as { code: number; data: T };
    if (code !== 0) throw new Error(`${url}: ${response.body}`);
    return data;
  };
}

/** Creates the accounts of all users by sending a first request as each. */
async function createUsers(bench: BenchApp): Promise<void> {
  for (let place = 0; place < CONCURRENCY; place += 1)
    for (const user of usersOf(place))
      await bench.app.inject({
        url: '/api/auth/me',
        headers: { authorization: `Bearer ${await bench.token(user)}` },
      });
}

async function createSend(bench: BenchApp): Promise<(place: number) => Promise<void>> {
  await createUsers(bench);
  const post = createSender(bench);
  const chats: number[] = [];
  for (let place = 0; place < CONCURRENCY; place += 1) {
    const [user, peer_id] = usersOf(place);
    const body = { type: 'single', peer_id };
    chats.push((await post<{ id: number }>(user, '/api/messages/conversations', body)).id);
  }
  return async (place) => {
    const path = `/api/messages/conversations/${chats[place]}/messages`;
    await post(usersOf(place)[0], path, { type: 'text', content: 'See you at eight' });
  };
}

async function createCall(bench: BenchApp): Promise<(place: number) => Promise<void>> {
  await createUsers(bench);
  const post = createSender(bench);
  return async (place) => {
    const [caller, callee_id] = usersOf(place);
    const { call_id } = await post<{ call_id: number }>(caller, '/api/calls', { callee_id });
    await post(callee_id, `/api/calls/${call_id}/accept`, { terminal_id: 'phone' });
    await post(caller, `/api/calls/${call_id}/hangup`);
  };
}
