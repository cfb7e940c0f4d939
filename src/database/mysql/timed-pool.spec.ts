import { EventEmitter } from 'node:events';
import type { Pool, PoolConnection } from 'mysql2';
import type { ConnectionMutex } from '../connection-mutex';
import { TimedPool } from './timed-pool';

const LIMIT_MS = 10_000;
/** Interval in which exceeded limits are noticed. */
const SWEEP_MS = 250;

type Callback = (error: Error | null, rows?: unknown[]) => void;

/** A connection to a server that answers when the test calls `answer`, in the order of the statements. */
class SlowConnection extends EventEmitter {
  readonly #running: Callback[] = [];
  readonly stream = {
    destroy: (cause: Error): void => {
      for (const callback of this.#running.splice(0)) callback(cause);
    },
  };

  query(_sql: string, _values: unknown[], callback: Callback): void {
    this.#running.push(callback);
  }

  answer(): void {
    this.#running.shift()?.(null, []);
  }
}

describe('TimedPool', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('has one time limit for statements that are sent together, and destroys the connection', async () => {
    const connection = new SlowConnection().on('error', () => undefined);
    const pool = new TimedPool(new EventEmitter() as Pool, {} as ConnectionMutex, LIMIT_MS, true);
    const send = () => pool.queryOn(connection as unknown as PoolConnection, 'SELECT 1', []);
    const results = Promise.allSettled([send(), send(), send()]);
    await jest.advanceTimersByTimeAsync(LIMIT_MS - SWEEP_MS);
    connection.answer();
    await jest.advanceTimersByTimeAsync(2 * SWEEP_MS);
    const reason = { driverError: { message: 'No result within 10000 ms' } };
    expect(await results).toMatchObject([
      { status: 'fulfilled', value: [] },
      { status: 'rejected', reason },
      { status: 'rejected', reason },
    ]);
  });
});
