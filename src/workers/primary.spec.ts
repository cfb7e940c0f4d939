import { EventEmitter } from 'node:events';
import type { Logger } from 'pino';
import { Link } from './link';
import { Primary } from './primary';
import { Workers } from './workers';

/** A worker whose process is this one: its end of the link is `worker`. */
class FakeWorker extends EventEmitter {
  readonly signals: string[] = [];
  readonly process = { kill: (signal: string) => this.signals.push(signal) };
  readonly #end = Object.assign(new EventEmitter(), {
    send: (message: object, callback?: (error: null) => void): boolean => {
      this.emit('message', message);
      callback?.(null);
      return true;
    },
  });
  readonly workers: Workers;

  constructor(readonly env: NodeJS.ProcessEnv) {
    super();
    const { CALLBOARD_SERVICE_ID: serviceId = '', CALLBOARD_WORKER: number } = env;
    this.workers = new Workers(new Link(this.#end), { serviceId, number: Number(number) });
  }

  send(message: object, callback?: (error: Error | null) => void): boolean {
    this.#end.emit('message', message);
    callback?.(null);
    return true;
  }

  end(code: number | null, signal: string | null = null): void {
    this.emit('exit', code, signal);
  }
}

const turn = async (): Promise<void> => {
  for (let index = 0; index < 5; index += 1) await new Promise<void>((resolve) => void setImmediate(resolve));
};

describe('Primary', () => {
  let forked: FakeWorker[];
  let exits: number[];
  let lines: [{ delayMs?: number }, string][];
  let primary: Primary;
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    [forked, exits, lines] = [[], [], []];
    const log = { info: jest.fn(), error: (...line: [object, string]) => lines.push(line) };
    primary = new Primary({
      count: 3,
      log: log as unknown as Logger,
      shutdownWithinMs: 10_000,
      handlers: { count: (body: number) => body + 1 },
      kept: { total: (parts: number[]) => parts.reduce((sum, part) => sum + part, 0) },
      exit: (code) => exits.push(code),
      fork: (env) => {
        const worker = new FakeWorker(env);
        forked.push(worker);
        return worker;
      },
    });
    primary.start();
  });
  afterEach(() => jest.useRealTimers());

  const numbers = () => forked.map(({ workers }) => workers.number);
  const startAll = async (): Promise<FakeWorker[]> => {
    forked[0]?.workers.reportReady();
    await turn();
    for (const { workers } of forked.slice(1)) workers.reportReady();
    await turn();
    return forked;
  };

  it('starts the other workers when the first is ready', async () => {
    expect(numbers()).toEqual([1]);
    await startAll();
    expect(numbers()).toEqual([1, 2, 3]);
    expect(new Set(forked.map(({ workers }) => workers.serviceId)).size).toBe(1);
  });

  it('exits with 1 when a worker ends before any is ready', async () => {
    forked[0]?.end(1);
    expect(exits).toEqual([1]);
    expect(lines).toEqual([[{ worker: 1, code: 1, signal: null }, 'A worker failed to start, stopping']]);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(numbers()).toEqual([1]);
  });

  it('replaces a worker that ends by one with its number', async () => {
    await startAll();
    forked[1]?.end(null, 'SIGKILL');
    await jest.advanceTimersByTimeAsync(99);
    expect(numbers()).toEqual([1, 2, 3]);
    await jest.advanceTimersByTimeAsync(1);
    expect(numbers()).toEqual([1, 2, 3, 2]);
    expect(exits).toEqual([]);
  });

  it('doubles the delay with each end within five minutes, up to 30 s', async () => {
    await startAll();
    const end = async (): Promise<void> => {
      const before = forked.length;
      forked.at(-1)?.end(1);
      while (forked.length === before) await jest.advanceTimersByTimeAsync(100);
    };
    for (let count = 0; count < 11; count += 1) await end();
    await jest.advanceTimersByTimeAsync(300_000);
    await end();
    const delays = lines.flatMap(([{ delayMs }]) => delayMs ?? []);
    expect(delays).toEqual([100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000, 100]);
  });

  it('forwards a broadcast to the other ready workers only', async () => {
    const [first, second, third] = await startAll();
    const received: string[] = [];
    for (const { workers } of forked)
      workers.onBroadcast('events', (body) => received.push(`${workers.number}: ${String(body)}`));
    second?.workers.broadcast('events', 'a');
    await turn();
    expect(received).toEqual(['1: a', '3: a']);
    third?.end(1);
    first?.workers.broadcast('events', 'b');
    await turn();
    expect(received.slice(2)).toEqual(['2: b']);
  });

  it('collects the contributions of the ready workers and answers questions itself', async () => {
    const [first, second] = await startAll();
    for (const { workers } of forked) workers.contribute('health', () => workers.number);
    second?.workers.contribute('health', () => Promise.reject(new Error('no reply')));
    expect(await first?.workers.collect('health')).toEqual([1, 3]);
    expect(await first?.workers.ask('count', 4)).toBe(5);
  });

  it('collects without a worker that hangs', async () => {
    const [first, second] = await startAll();
    for (const { workers } of forked) workers.contribute('health', () => workers.number);
    second?.workers.contribute('health', () => new Promise(() => undefined));
    const collected = first?.workers.collect('health');
    await turn();
    await jest.advanceTimersByTimeAsync(3_000);
    await turn();
    await jest.advanceTimersByTimeAsync(2_000);
    expect(await collected).toEqual([1, 3]);
  });

  it('waits longer for the workers than each of them for a component', async () => {
    const [first] = await startAll();
    for (const { workers } of forked)
      workers.contribute('health', async () => {
        const { promise, resolve } = Promise.withResolvers<void>();
        setTimeout(resolve, 2_000);
        await promise;
        return workers.number;
      });
    const collected = first?.workers.collect('health');
    await turn();
    await jest.advanceTimersByTimeAsync(2_000);
    await turn();
    expect(await collected).toEqual([1, 2, 3]);
  });

  it('keeps the last contribution of a worker that hangs, and the sum of those of ended ones', async () => {
    const [first, second, third] = await startAll();
    for (const { workers } of forked) workers.contribute('total', () => 10 * (workers.number ?? 0));
    expect(await first?.workers.collect('total')).toEqual([10, 20, 30]);
    second?.workers.contribute('total', () => new Promise(() => undefined));
    first?.workers.contribute('total', () => 11);
    const collected = first?.workers.collect('total');
    await turn();
    await jest.advanceTimersByTimeAsync(3_000);
    await turn();
    expect(await collected).toEqual([11, 20, 30]);
    second?.end(1);
    third?.end(null, 'SIGKILL');
    expect(await first?.workers.collect('total')).toEqual([50, 11]);
  });

  it('counts a worker once that ends while the contributions are collected', async () => {
    const [first, second, third] = await startAll();
    for (const { workers } of forked) workers.contribute('total', () => 10 * (workers.number ?? 0));
    expect(await first?.workers.collect('total')).toEqual([10, 20, 30]);
    second?.workers.contribute('total', () => new Promise(() => undefined));
    const collected = first?.workers.collect('total');
    await turn();
    // One before it responds, one afterwards.
    second?.end(null, 'SIGKILL');
    third?.end(null, 'SIGKILL');
    expect(await collected).toEqual([10, 20, 30]);
    expect(await first?.workers.collect('total')).toEqual([50, 10]);
  });

  it('stops all workers and exits with 0 when they have ended', async () => {
    await startAll();
    primary.stop('SIGTERM');
    primary.stop('SIGINT');
    expect(forked.map(({ signals }) => signals)).toEqual([['SIGTERM'], ['SIGTERM'], ['SIGTERM']]);
    for (const worker of forked) {
      expect(exits).toEqual([]);
      worker.end(0);
    }
    expect(exits).toEqual([0]);
  });

  it('kills the workers that have not ended within the grace period', async () => {
    await startAll();
    primary.stop('SIGTERM');
    forked[0]?.end(0);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(forked.map(({ signals }) => signals)).toEqual([
      ['SIGTERM'],
      ['SIGTERM', 'SIGKILL'],
      ['SIGTERM', 'SIGKILL'],
    ]);
    expect(exits).toEqual([0]);
  });

  it('kills a worker that has not responded to three checks', async () => {
    await startAll();
    const second = forked[1];
    if (second) second.send = () => true;
    await jest.advanceTimersByTimeAsync(34_999);
    expect(second?.signals).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(forked.map(({ signals }) => signals)).toEqual([[], ['SIGKILL'], []]);
  });
});
