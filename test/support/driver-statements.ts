import { AsyncLocalStorage } from 'node:async_hooks';
import { Connection } from 'mysql2';

/**
 * Returns the statements that `work` sends to the MySQL server, including COMMIT. Counted at the driver, so that every
 * path of the service to the database is included. Excludes statements of background jobs, and those that set up a
 * connection.
 */
export async function driverStatementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = [];
  const within = new AsyncLocalStorage<true>();
  const connection = Connection.prototype as unknown as Record<'query' | 'execute', Send>;
  const spies = (['query', 'execute'] as const).map((method) => {
    const send = connection[method];
    return jest.spyOn(connection, method).mockImplementation(function (this: unknown, sql, ...rest) {
      // The statements that set up a new connection are passed as objects, with a time limit.
      if (within.getStore() && typeof sql === 'string') sent.push(sql.replaceAll(/\s+/g, ' ').trim());
      return send.call(this, sql, ...rest);
    });
  });
  try {
    await within.run(true, work);
    return sent;
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

type Send = (this: unknown, sql: string | object, ...rest: unknown[]) => unknown;
