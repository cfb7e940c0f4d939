import type { EntityManager } from 'typeorm';
import { Transactions } from '../../src/database/transactions';
import type { TestApp } from './test-app';

/** Returns the number of rows that a connection to MySQL or MariaDB has read so far. */
export async function rowsReadOn(connection: { query(sql: string): Promise<unknown> }): Promise<number> {
  const rows = (await connection.query("SHOW SESSION STATUS LIKE 'Handler_read%'")) as { Value: string }[];
  return rows.reduce((sum, { Value }) => sum + Number(Value), 0);
}

/** Runs work twice in a transaction, and returns the number of rows that the second run reads. */
export const rowsReadBy = (test: TestApp, work: (em: EntityManager) => Promise<unknown>): Promise<number> =>
  test.app.get(Transactions).run(async (em) => {
    await work(em);
    const before = await rowsReadOn(em);
    await work(em);
    return (await rowsReadOn(em)) - before;
  });
