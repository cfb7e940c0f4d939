import { AsyncLocalStorage } from 'node:async_hooks';
import { Connection, type PoolConnection } from 'mysql2';
import { TimedPool } from '../../src/database/mysql/timed-pool';

/** Statements of the service to the MySQL server, and their round trips. */
export interface Sent {
  /** The statements, including COMMIT. */
  statements: string[];
  /** Number of statements that were sent while their connection had no running statement. */
  trips: number;
}

/**
 * Returns the statements that `work` sends to the MySQL server. Counted at the driver, so that every path of the service
 * to the database is included. Excludes statements of background jobs, and those that set up a connection.
 */
export async function driverStatementsOf(work: () => Promise<unknown>): Promise<Sent> {
  const sent: Sent = { statements: [], trips: 0 };
  const within = new AsyncLocalStorage<true>();
  const connection = Connection.prototype as unknown as Record<'query' | 'execute', Send>;
  const spies = (['query', 'execute'] as const).map((method) => {
    const send = connection[method];
    return jest.spyOn(connection, method).mockImplementation(function (this: unknown, sql, ...rest) {
      // The statements that set up a connection are passed as objects.
      if (within.getStore() && typeof sql === 'string')
        sent.statements.push(sql.replaceAll(/\s+/g, ' ').trim());
      return send.call(this, sql, ...rest);
    });
  });
  const trips = spyOnTrips(() => {
    if (within.getStore()) sent.trips += 1;
  });
  try {
    await within.run(true, work);
    return sent;
  } finally {
    for (const spy of [...spies, trips]) spy.mockRestore();
  }
}

/** Calls `onTrip` for each statement on a connection without a running one. */
function spyOnTrips(onTrip: () => void): jest.SpyInstance {
  const running = new Map<PoolConnection, number>();
  const pool = TimedPool.prototype as unknown as Record<'queryOn', QueryOn>;
  const send = pool.queryOn;
  const change = (connection: PoolConnection, by: number): number => {
    const count = (running.get(connection) ?? 0) + by;
    running.set(connection, count);
    return count;
  };
  return jest.spyOn(pool, 'queryOn').mockImplementation(function (this: unknown, on, ...rest) {
    if (change(on, 1) === 1) onTrip();
    return send.call(this, on, ...rest).finally(() => change(on, -1));
  });
}

type Send = (this: unknown, sql: string | object, ...rest: unknown[]) => unknown;
type QueryOn = (this: unknown, on: PoolConnection, ...rest: unknown[]) => Promise<unknown>;
