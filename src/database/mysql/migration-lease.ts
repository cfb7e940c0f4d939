import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { isCollision } from '../errors';

export interface LeaseTimes {
  /** Life of the lease by the database's clock. An instance that is killed delays the others for this long. */
  leaseMs: number;
  /** A fraction of `leaseMs`: a renewal may fail without the lease being lost. */
  renewEveryMs: number;
  retryEveryMs: number;
  giveUpAfterMs: number;
}

const TIMES: LeaseTimes = {
  leaseMs: 30_000,
  renewEveryMs: 5_000,
  retryEveryMs: 250,
  giveUpAfterMs: 120_000,
};

/**
 * No entity and no migration: it must exist before the first migration. Group Replication asks for a primary key. The character set
 * and the engine are named because the defaults of the server may be others.
 */
const CREATE = `CREATE TABLE IF NOT EXISTS migration_lease (
  id tinyint NOT NULL PRIMARY KEY, holder char(36) NOT NULL, expires_at datetime(3) NOT NULL)
  ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`;
const EXPIRY = 'UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND';

/**
 * Runs work on one instance at a time, by a lease in a row of the database. Unlike `GET_LOCK` it works in a Galera cluster, and does
 * not end with a connection that a proxy closes.
 * @param work is given a function that renews the lease, and throws once another instance may hold it: to be called before each
 * step that must not run twice
 * @throws {Error} when another instance holds the lease for longer than `giveUpAfterMs`
 */
export async function underLease<T>(
  dataSource: DataSource,
  work: (renew: () => Promise<void>) => Promise<T>,
  times: LeaseTimes = TIMES,
): Promise<T> {
  const holder = randomUUID();
  const expiry = times.leaseMs * 1000;
  const change = async (sql: string, parameters: unknown[]): Promise<number> =>
    (await dataSource.query<{ affectedRows: number }>(sql, parameters)).affectedRows;
  const take = async (): Promise<boolean> => {
    await change('DELETE FROM migration_lease WHERE expires_at <= UTC_TIMESTAMP(3)', []);
    const insert = `INSERT IGNORE INTO migration_lease (id, holder, expires_at) VALUES (1, ?, ${EXPIRY})`;
    return (await change(insert, [holder, expiry])) === 1;
  };
  const renew = async (): Promise<void> => {
    const update = `UPDATE migration_lease SET expires_at = ${EXPIRY} WHERE holder = ?`;
    if ((await change(update, [expiry, holder])) !== 1)
      throw new Error('The lease of the migrations was lost: another instance goes on with them');
  };

  await dataSource.query(CREATE);
  await takeInTurn(take, times);
  // One that fails is made up for by the next one, or by the check before the next step.
  const renewal = setInterval(() => void renew().catch(() => undefined), times.renewEveryMs);
  try {
    return await work(renew);
  } finally {
    clearInterval(renewal);
    await dataSource.query('DELETE FROM migration_lease WHERE holder = ?', [holder]);
  }
}

async function takeInTurn(take: () => Promise<boolean>, times: LeaseTimes): Promise<void> {
  for (const giveUpAt = Date.now() + times.giveUpAfterMs; ; await pause(times.retryEveryMs)) {
    // Two nodes of a cluster may both insert the row: one of them then fails with a deadlock.
    const isTaken = await take().catch((error: unknown) => {
      if (!isCollision(error)) throw error;
      return false;
    });
    if (isTaken) return;
    if (Date.now() > giveUpAt)
      throw new Error('Another instance has been migrating the database for too long');
  }
}
