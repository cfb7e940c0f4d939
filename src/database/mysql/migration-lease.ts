import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { isSerializationFailure } from '../errors';

const TIMES = {
  /** Duration of the lease by the database's clock. A killed instance delays the others for this long. */
  leaseMs: 30_000,
  /** A fraction of `leaseMs`, so that a renewal may fail without losing the lease. */
  renewEveryMs: 5_000,
  retryEveryMs: 250,
  giveUpAfterMs: 120_000,
};

/**
 * The table has no entity and no migration because it must exist before the first migration. Group Replication requires
 * a primary key. The statement names the character set and the engine because the server's defaults may differ.
 */
const CREATE = `CREATE TABLE IF NOT EXISTS migration_lease (
  id tinyint NOT NULL PRIMARY KEY, holder char(36) NOT NULL, expires_at datetime(3) NOT NULL)
  ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`;
const EXPIRY = 'UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND';

/**
 * Runs work on one instance at a time, by a lease in a row of the database. Unlike `GET_LOCK` the lease works in a
 * Galera cluster, and survives a connection that a proxy closes.
 * @param work must call `renew` before each step that must not run twice: it renews the lease, and throws if another
 * instance may hold it
 * @throws {Error} if another instance holds the lease for longer than `giveUpAfterMs`
 */
export async function underLease<T>(
  dataSource: DataSource,
  work: (renew: () => Promise<void>) => Promise<T>,
  times = TIMES,
): Promise<T> {
  const holder = randomUUID();
  const expiry = times.leaseMs * 1000;
  const execute = async (sql: string, parameters: unknown[]): Promise<number> =>
    (await dataSource.query<{ affectedRows: number }>(sql, parameters)).affectedRows;
  const acquire = async (): Promise<boolean> => {
    await execute('DELETE FROM migration_lease WHERE expires_at <= UTC_TIMESTAMP(3)', []);
    const insert = `INSERT IGNORE INTO migration_lease (id, holder, expires_at) VALUES (1, ?, ${EXPIRY})`;
    return (await execute(insert, [holder, expiry])) === 1;
  };
  const renew = async (): Promise<void> => {
    const update = `UPDATE migration_lease SET expires_at = ${EXPIRY} WHERE holder = ?`;
    if ((await execute(update, [expiry, holder])) !== 1)
      throw new Error('Migration lease lost: another instance has taken over the migrations');
  };

  await dataSource.query(CREATE);
  await acquireWhenFree(acquire, times);
  // A failed renewal is repeated by the next one, or detected by the check before the next step.
  const renewal = setInterval(() => void renew().catch(() => undefined), times.renewEveryMs);
  try {
    return await work(renew);
  } finally {
    clearInterval(renewal);
    await dataSource.query('DELETE FROM migration_lease WHERE holder = ?', [holder]);
  }
}

async function acquireWhenFree(acquire: () => Promise<boolean>, times: typeof TIMES): Promise<void> {
  for (const giveUpAt = Date.now() + times.giveUpAfterMs; ; await pause(times.retryEveryMs)) {
    // Two nodes of a cluster may both insert the row: one of them then fails with a deadlock.
    const isAcquired = await acquire().catch((error: unknown) => {
      if (!isSerializationFailure(error)) throw error;
      return false;
    });
    if (isAcquired) return;
    if (Date.now() > giveUpAt)
      throw new Error('Another instance has been migrating the database for too long');
  }
}
