import Database from 'better-sqlite3';
import type { DataSource } from 'typeorm';
import { MigrationExecutor } from 'typeorm/migration/MigrationExecutor.js';
import type { DatabaseConfig } from '../config/database-config';
import { isUnsupported } from './errors';
import { underLease } from './mysql/migration-lease';
import { SILENCE_SECONDS } from './mysql/pool';
import { retryWhileLocked } from './sqlite/query-runner';

const LOCK_TIMEOUT_SECONDS = 120;
/** Time for which the session that holds the lock may be silent: the server's default. */
const LOCK_SESSION_SECONDS = 28_800;
const LOCK_NAME = 'callboard_migrations';

/**
 * Runs the pending migrations. Instances that start at the same time take turns, so each migration runs once. Without a
 * pending migration nothing is locked or written on MySQL: the service's database user does not need the right to
 * change tables.
 * @returns the names of the migrations that ran
 * @throws {Error} if another instance migrates for longer than two minutes
 */
export async function migrate(dataSource: DataSource, database: DatabaseConfig): Promise<string[]> {
  if (database.type !== 'better-sqlite3') return migrateServer(dataSource);
  const run = async (): Promise<string[]> =>
    (await dataSource.runMigrations({ transaction: 'all' })).map(({ name }) => name);
  return database.file === ':memory:' ? run() : withFileLock(`${database.file}.migrating`, run);
}

/** Runs migrations without a transaction: MySQL commits each of their statements by itself. */
async function migrateServer(dataSource: DataSource): Promise<string[]> {
  const executor = new MigrationExecutor(dataSource);
  if ((await executor.getPendingMigrations()).length === 0) return [];
  return underLease(dataSource, (renew) =>
    withLegacyLock(dataSource, async () => {
      const pending = await executor.getPendingMigrations();
      for (const migration of pending) {
        await renew();
        await executor.executeMigration(migration);
      }
      return pending.map(({ name }) => name);
    }),
  );
}

/**
 * Also takes the lock of releases before the lease (0.2.0 and earlier). Their instances may start at the same time and
 * use only this lock. A Galera cluster may not support it; those releases do not start there at all.
 */
async function withLegacyLock<T>(dataSource: DataSource, work: () => Promise<T>): Promise<T> {
  const runner = dataSource.createQueryRunner();
  // Lock names are global on a server, so the name contains the database's. Hashed: the server allows 64 characters.
  const lock = `SHA1(CONCAT('${LOCK_NAME}:', DATABASE()))`;
  const acquire = async (): Promise<boolean> => {
    // The migrations run on other connections, and may take longer than the sessions of the service may be silent.
    await runner.query(`SET SESSION wait_timeout = ${LOCK_SESSION_SECONDS}`);
    const sql = `SELECT GET_LOCK(${lock}, ${LOCK_TIMEOUT_SECONDS}) AS locked`;
    const [row] = (await runner.query(sql)) as { locked: number | null }[];
    if (row?.locked === 1) return true;
    throw new Error('Another instance has been migrating the database for too long');
  };
  try {
    const isAcquired = await acquire().catch((error: unknown) => {
      if (!isUnsupported(error)) throw error;
      return false;
    });
    try {
      return await work();
    } finally {
      if (isAcquired) await runner.query(`SELECT RELEASE_LOCK(${lock})`);
    }
  } finally {
    try {
      // The pool reuses the connection, and must not keep locks for hours if this instance hangs.
      await runner.query(`SET SESSION wait_timeout = ${SILENCE_SECONDS}`);
    } finally {
      await runner.release();
    }
  }
}

/**
 * Runs work in an exclusive transaction on a file beside the database. The system releases it even if the process dies.
 */
async function withFileLock<T>(lockFile: string, work: () => Promise<T>): Promise<T> {
  const lock = new Database(lockFile, { timeout: 0 });
  try {
    await retryWhileLocked(() => lock.exec('BEGIN EXCLUSIVE'), LOCK_TIMEOUT_SECONDS * 1000);
    return await work();
  } finally {
    lock.close();
  }
}
