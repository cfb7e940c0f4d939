import { DataSource } from 'typeorm';
import type { TestApp } from './test-app';
import { eventually } from './waiting';

/** Waits until a transaction of the test's database on MySQL waits for a lock of another one. */
export async function untilLockWait({ app }: TestApp): Promise<void> {
  const waiting = (): Promise<unknown[]> =>
    app.get(DataSource).query(
      `SELECT t.trx_id FROM information_schema.innodb_trx t
       JOIN information_schema.processlist p ON p.id = t.trx_mysql_thread_id
       WHERE t.trx_state = 'LOCK WAIT' AND p.db = DATABASE()`,
    );
  // The server refreshes this table only if it was not read for 100 ms.
  await eventually(waiting, ({ length }) => length > 0, { betweenMs: 150 });
}
