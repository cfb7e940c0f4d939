import { AsyncLocalStorage } from 'node:async_hooks';
import { Connection } from 'mysql2';

/** A statement at the driver. */
export interface DriverStatement {
  sql: string;
  /** Whether it was sent when its connection had no running statement: it begins a round trip. */
  beginsTrip: boolean;
}

/**
 * Returns the statements that `work` sends to the MySQL server, including COMMIT. Counted at the driver, so that every
 * path of the service to the database is included. Excludes statements of background jobs, and those that set up a
 * connection.
 */
export async function driverStatementsOf(work: () => Promise<unknown>): Promise<DriverStatement[]> {
  const sent: DriverStatement[] = [];
  const running = new WeakMap<object, number>();
  const within = new AsyncLocalStorage<true>();
  const connection = Connection.prototype as unknown as Record<'query' | 'execute', Send>;
  const spies = (['query', 'execute'] as const).map((method) => {
    const send = connection[method];
    return jest.spyOn(connection, method).mockImplementation(function (this: object, sql, values, callback) {
      // The statements that set up a new connection are passed as objects, with a time limit.
      if (!within.getStore() || typeof sql !== 'string') return send.call(this, sql, values, callback);
      const before = running.get(this) ?? 0;
      sent.push({ sql: sql.replaceAll(/\s+/g, ' ').trim(), beginsTrip: before === 0 });
      running.set(this, before + 1);
      return send.call(this, sql, values, (...result: unknown[]) => {
        running.set(this, (running.get(this) ?? 0) - 1);
        callback?.(...result);
      });
    });
  });
  try {
    await within.run(true, work);
    return sent;
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

type Send = (
  this: object,
  sql: string | object,
  values: unknown,
  callback?: (...result: unknown[]) => void,
) => unknown;
