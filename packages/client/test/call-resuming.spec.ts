import { Callboard } from '../src/index.js';
import { CallTerminal } from '../src/calls/index.js';
import { at, call, devices, FakeProvider, FakeService, FakeStream, NOW } from './support/fake-calls.js';
import { success } from './support/scripted-fetch.js';

/** Locks of a browser. The original tab holds the lock of its terminal id. */
const locks = {
  request: async (name: string, ...parts: [{ signal?: AbortSignal }, () => Promise<unknown>]) => {
    const [{ signal }, run] = parts;
    if (name !== 'callboard terminal original') return run();
    return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('Aborted'))));
  },
};

describe('A tab that was duplicated during a call', () => {
  const stored = new Map<string, string>();
  const fakes = {
    MediaStream: FakeStream,
    document: {},
    navigator: { locks },
    BroadcastChannel: undefined,
    sessionStorage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
      removeItem: (key: string) => void stored.delete(key),
    },
  };
  const originals = Object.keys(fakes).map(
    (name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const,
  );
  beforeEach(() => {
    jest.useFakeTimers({ now: NOW });
    for (const [name, value] of Object.entries(fakes))
      Object.defineProperty(globalThis, name, { configurable: true, value });
  });
  afterEach(() => {
    for (const [name, original] of originals) {
      if (original === undefined) Reflect.deleteProperty(globalThis, name);
      else Object.defineProperty(globalThis, name, original);
    }
    jest.useRealTimers();
  });

  it('does not join the call of the original', async () => {
    stored.set('callboard-terminal', 'original').set('callboard-call', '5');
    const service = new FakeService();
    service.answers['GET /api/auth/me'] = () => success({ id: 7, name: 'Amy' });
    const ongoing = call({ status: 'ongoing', version: 4, accepted_at: at(0) });
    service.answers['GET /api/calls/active'] = () => success(ongoing, { 'X-Event-Cursor': '9' });
    const client = new Callboard({
      baseUrl: 'http://service.test',
      fetch: service.fetch,
      token: () => 'token',
    });
    const terminal = new CallTerminal(client, {
      getUserMedia: devices(),
      providers: { agora: async () => new FakeProvider() },
    });
    // The original keeps its lock for longer than a tab waits for it.
    await jest.advanceTimersByTimeAsync(1_000);
    expect(service.asked).toContain('GET /api/calls/active');
    expect(terminal.getSession()).toBeNull();
    expect(stored.has('callboard-call')).toBe(false);
    terminal.close();
  });
});
