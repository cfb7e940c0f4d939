import { SharedStream } from '../src/events/shared-stream.js';
import { Transport } from '../src/http/transport.js';
import { Callboard, type StreamState, type UserEvent } from '../src/index.js';
import { failure, ScriptedFetch, success } from './support/scripted-fetch.js';

/** A channel between the tabs of a browser, without delays. The test posts the messages of the tab that reads the stream. */
class FakeChannel extends EventTarget {
  static opened: FakeChannel[] = [];
  constructor() {
    super();
    FakeChannel.opened.push(this);
  }
  postMessage = (): void => undefined;
  close = (): void => undefined;
}

/** Locks that another tab holds. */
const takenLocks = {
  request: (_name: string, { signal }: { signal: AbortSignal }) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('Aborted')))),
};

const replaced = ['document', 'navigator', 'BroadcastChannel'] as const;

describe('A tab that receives events from another tab', () => {
  const originals = new Map(
    replaced.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const),
  );
  let ending: AbortController;
  let received: unknown[];
  let states: StreamState[];
  let network: ScriptedFetch;
  let running: Promise<void>;

  beforeEach(() => {
    jest.useFakeTimers();
    const values = { document: {}, navigator: { locks: takenLocks }, BroadcastChannel: FakeChannel };
    for (const name of replaced)
      Object.defineProperty(globalThis, name, { configurable: true, value: values[name] });
    FakeChannel.opened = [];
    ending = new AbortController();
    received = [];
    states = [];
  });
  afterEach(async () => {
    ending.abort();
    await running;
    for (const [name, original] of originals) {
      if (original === undefined) Reflect.deleteProperty(globalThis, name);
      else Object.defineProperty(globalThis, name, original);
    }
    jest.useRealTimers();
  });

  /** Lets promises settle without advancing the clock. */
  const settle = () => jest.advanceTimersByTimeAsync(0);

  /** Starts a tab with the events up to 40. `answers`: the responses to its requests for events. */
  function start(...answers: ConstructorParameters<typeof ScriptedFetch>): void {
    network = new ScriptedFetch(...answers);
    const transport = new Transport({ baseUrl: 'http://service.test', fetch: network.fetch });
    const onEvent = (_: UserEvent, id: number | undefined) => received.push(id);
    const onResync = (cursor: number) => received.push({ cursor });
    const onState = (state: StreamState) => states.push(state);
    const stream = { after: 40, signal: ending.signal, onEvent, onResync, onState };
    running = new SharedStream(transport, stream, 7).run();
  }

  const post = (data: object): unknown =>
    FakeChannel.opened[0]?.dispatchEvent(new MessageEvent('message', { data }));
  const alive = (cursor: number) => post({ kind: 'alive', state: 'live', cursor });
  const tell = (id?: number) => post({ kind: 'event', event: { type: 'message.created' }, id });
  const events =
    (...ids: number[]) =>
    () =>
      success({ items: ids.map((id) => ({ id, type: 'message.created' })), next_after: ids.at(-1) ?? 43 });
  const broken = (): Response => failure(500, '服务器内部错误');

  it('fetches the events that it has missed, and applies those that arrive meanwhile after them', async () => {
    start(events(41, 42), events());
    alive(42);
    tell(43);
    await settle();
    tell(44);
    expect(received).toEqual([41, 42, 43, 44]);
    expect(network.names[0]).toBe('GET /api/events/poll?after=40&limit=500');
  });

  it('ends in the newest state when the state changes while it fetches events', async () => {
    start(events(41, 42), events());
    alive(42);
    post({ kind: 'state', state: 'waiting' });
    await settle();
    expect(states).toEqual(['connecting', 'live', 'waiting']);
  });

  it('leaves later events to the next attempt when it cannot fetch those that it has missed', async () => {
    start(broken, events(41, 42, 43, 44), events());
    alive(42);
    tell(43);
    tell();
    await settle();
    tell(44);
    // Only the event without a cursor, which no attempt can fetch.
    expect(received).toEqual([undefined]);
    alive(44);
    await settle();
    tell(45);
    expect(received).toEqual([undefined, 41, 42, 43, 44, 45]);
    expect(network.names.slice(0, 2)).toEqual([
      'GET /api/events/poll?after=40&limit=500',
      'GET /api/events/poll?after=40&limit=500',
    ]);
  });

  it('applies the events after a resync although earlier ones could not be fetched', async () => {
    start(broken);
    alive(42);
    await settle();
    post({ kind: 'resync', cursor: 90 });
    tell(91);
    expect(received).toEqual([{ cursor: 90 }, 91]);
  });

  it('receives them when its first listener is replaced before the user is known', async () => {
    network = new ScriptedFetch((_, signal) => {
      signal?.throwIfAborted();
      return new Promise((resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
        setTimeout(() => resolve(success({ id: 7 })), 10);
      });
    });
    const { events: stream } = new Callboard({
      baseUrl: 'http://service.test',
      fetch: network.fetch,
      token: () => 'token',
    });
    const onEvent = (_: UserEvent, id: number | undefined): unknown => received.push(id);
    stream.subscribe({})();
    const unsubscribe = stream.subscribe({ onEvent });
    await jest.advanceTimersByTimeAsync(10);
    for (const channel of FakeChannel.opened)
      channel.dispatchEvent(
        new MessageEvent('message', { data: { kind: 'event', event: { type: 'message.created' }, id: 41 } }),
      );
    unsubscribe();
    expect(received).toEqual([41]);
    expect(network.names).toEqual(['GET /api/auth/me']);
  });

  it.each([
    ['its token provider fails', () => Promise.reject(new TypeError('fetch failed'))],
    ['a proxy responds in place of the service', () => 'token'],
  ])('receives them when %s during the request for the user', async (_, token) => {
    network = new ScriptedFetch(
      () => new Response('Not found', { status: 404 }),
      () => success({ id: 7 }),
    );
    const provide = jest.fn<Promise<string> | string, []>(() => 'token').mockImplementationOnce(token);
    const { events: stream } = new Callboard({
      baseUrl: 'http://service.test',
      fetch: network.fetch,
      token: provide,
    });
    const unsubscribe = stream.subscribe({ onEvent: (__, id) => received.push(id) });
    // More than the first two waits.
    await jest.advanceTimersByTimeAsync(2_000);
    tell(41);
    unsubscribe();
    expect(received).toEqual([41]);
  });

  it('does not apply events before it has compared its cursor with that of the other tab', async () => {
    start(events(41, 42), events());
    tell(42);
    expect(received).toEqual([]);
    alive(42);
    await settle();
    expect(received).toEqual([41, 42]);
  });
});
