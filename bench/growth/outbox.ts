import { setTimeout as pause } from 'node:timers/promises';
import { DomainEvents } from '../../src/outbox/domain-events';
import { OutboxDispatcher } from '../../src/outbox/outbox-dispatcher';
import { median } from '../speed/rounds';
import type { BenchApp } from './bench-app';
import type { Part } from './index';
import type { Row } from './measure';
import { Receiver } from './receiver';

const AT_ONCE = 16;
const ROUNDS = 7;
const ROUND_MS = 3_000;
/** What a round leaves for the database to clear away. */
const SETTLE_MS = 1_000;
/** One endpoint may cost a tenth; none nothing, but for what a busy machine does. */
const TARGETS = { one: 0.9, none: 0.97 };

/** `off`: as if there were no outbox; `none`: nobody wants anything; `one`: an endpoint is told of everything. */
type Mode = 'off' | 'none' | 'one';
const MODES: Mode[] = ['off', 'none', 'one'];

/** What acts cost those who cause them. */
export const outbox: Part = {
  name: 'outbox',
  async run(bench) {
    const receiver = await Receiver.start();
    try {
      const setMode = await prepare(bench, receiver);
      return [
        ...(await compare('messages to single chats', await sending(bench), bench, setMode)),
        ...(await compare('calls, answered and hung up', await calling(bench), bench, setMode)),
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
    const answer = await app.inject({ method, url: `/api/admin/webhooks${path}`, headers, payload });
    const { code, data } = JSON.parse(answer.body) as { code: number; data: { id: number } };
    if (code !== 0) throw new Error(answer.body);
    return data.id;
  };
  const endpoint = await ask('POST', '', { url, event_types: ['*'], status: 0 });
  const acts = app.get(DomainEvents);
  const record = acts.record.bind(acts);
  return async (mode) => {
    acts.record = mode === 'off' ? () => undefined : record;
    await ask('PUT', `/${endpoint}`, { status: mode === 'one' ? 1 : 0 });
  };
}

/** How many times a second each mode does the work and routes its acts, while they are delivered; medians of rounds by turns. */
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
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
      // At once, for the rest that the router takes is no work. A batch of its own may be under way.
      await app.get(OutboxDispatcher).dispatch();
      while ((await dataSource.query<object[]>('SELECT id FROM outbox LIMIT 1')).length > 0) await pause(1);
      const seconds = (performance.now() - start) / 1_000;
      // What is still to be delivered would be in the way of the next.
      await setMode('none');
      await dataSource.query('DELETE FROM webhook_deliveries');
      await pause(SETTLE_MS);
      if (round >= 0) rates[mode].push(done / seconds);
    }
  }
  const ratio = (mode: Mode): number =>
    median(rates[mode].map((rate, round) => rate / (rates.off[round] ?? rate)));
  const rowOf = (mode: 'one' | 'none', who: string): Row => ({
    what: `${what}: ${who}, to no outbox at all`,
    value: ratio(mode),
    unit: '×',
    target: `≥ ${TARGETS[mode]}`,
    met: ratio(mode) >= TARGETS[mode],
  });
  return [
    { what: `${what}: no outbox at all`, value: median(rates.off), unit: '/s' },
    rowOf('none', 'nobody wants acts'),
    rowOf('one', 'one endpoint is told of everything'),
  ];
}

/** Each worker has two people of its own. */
const peopleOf = (place: number): [number, number] => [1_000 + 2 * place, 1_001 + 2 * place];

/** Sends a request as a user; answers its data. */
function hands(bench: BenchApp) {
  const tokens = new Map<number, string>();
  return async <T>(user: number, url: string, payload: object = {}): Promise<T> => {
    const token = tokens.get(user) ?? (await bench.token(user));
    tokens.set(user, token);
    const headers = { authorization: `Bearer ${token}` };
    const answer = await bench.app.inject({ method: 'POST', url, headers, payload });
    const { code, data } = JSON.parse(answer.body) as { code: number; data: T };
    if (code !== 0) throw new Error(`${url}: ${answer.body}`);
    return data;
  };
}

/** Makes everybody known, each by asking for something. */
async function meet(bench: BenchApp): Promise<void> {
  for (let place = 0; place < AT_ONCE; place += 1)
    for (const user of peopleOf(place))
      await bench.app.inject({
        url: '/api/auth/me',
        headers: { authorization: `Bearer ${await bench.token(user)}` },
      });
}

async function sending(bench: BenchApp): Promise<(place: number) => Promise<void>> {
  await meet(bench);
  const post = hands(bench);
  const chats: number[] = [];
  for (let place = 0; place < AT_ONCE; place += 1) {
    const [user, peer_id] = peopleOf(place);
    const body = { type: 'single', peer_id };
    chats.push((await post<{ id: number }>(user, '/api/messages/conversations', body)).id);
  }
  return async (place) => {
    const path = `/api/messages/conversations/${chats[place]}/messages`;
    await post(peopleOf(place)[0], path, { type: 'text', content: 'See you at eight' });
  };
}

async function calling(bench: BenchApp): Promise<(place: number) => Promise<void>> {
  await meet(bench);
  const post = hands(bench);
  return async (place) => {
    const [caller, callee_id] = peopleOf(place);
    const { call_id } = await post<{ call_id: number }>(caller, '/api/calls', { callee_id });
    await post(callee_id, `/api/calls/${call_id}/accept`, { terminal_id: 'phone' });
    await post(caller, `/api/calls/${call_id}/hangup`);
  };
}
