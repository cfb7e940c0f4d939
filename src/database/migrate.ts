import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import type { DataSource } from 'typeorm';
import { MigrationExecutor } from 'typeorm/migration/MigrationExecutor.js';
import type { DatabaseConfig } from '../config/database-config';
import { isFileLocked, isUnsupported } from './errors';
import { underLease } from './mysql/migration-lease';

const LOCK_TIMEOUT_SECONDS = 120;
const LOCK_RETRY_MS = 50;
const LOCK_NAME = 'callboard_migrations';

/**
 * Brings the schema up to date. Instances that start at the same time take turns, so each migration runs once. Without a pending
 * migration nothing is locked or written: the service's user need not be allowed to change tables.
 * Returns the names of the migrations that ran.
 * @throws {Error} when another instance migrates for longer than two minutes
 */
export async function migrate(dataSource: DataSource, database: DatabaseConfig): Promise<string[]> {
  if (database.type !== 'better-sqlite3') return migrateServer(dataSource);
  const run = async (): Promise<string[]> =>
    (await dataSource.runMigrations({ transaction: 'all' })).map(({ name }) => name);
  return database.file === ':memory:' ? run() : underFileLock(`${database.file}.migrating`, run);
}

/** MySQL commits each statement of a migration by itself, so there is no transaction around them. */
async function migrateServer(dataSource: DataSource): Promise<string[]> {
  const executor = new MigrationExecutor(dataSource);
  if ((await executor.getPendingMigrations()).length === 0) return [];
  return underLease(dataSource, (renew) =>
    underFormerLock(dataSource, async () => {
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
 * Also takes the lock of the releases before the lease (0.2.0 and earlier): their instances, which may start at the same time, take
 * nothing else. A Galera cluster may refuse it; those releases do not start there at all.
 */
async function underFormerLock<T>(dataSource: DataSource, work: () => Promise<T>): Promise<T> {
  const runner = dataSource.createQueryRunner();
  // The name is the server's own, so the database's is part of it; the server allows 64 characters.
  const lock = `SHA1(CONCAT('${LOCK_NAME}:', DATABASE()))`;
  const take = async (): Promise<boolean> => {
    const sql = `SELECT GET_LOCK(${lock}, ${LOCK_TIMEOUT_SECONDS}) AS locked`;
    const [row] = (await runner.query(sql)) as { locked: number | null }[];
    if (row?.locked === 1) return true;
    throw new Error('Another instance has been migrating the database for too long');
  };
  try {
    const isTaken = await take().catch((error: unknown) => {
      if (!isUnsupported(error)) throw error;
      return false;
    });
    try {
      return await work();
    } finally {
      if (isTaken) await runner.query(`SELECT RELEASE_LOCK(${lock})`);
    }
  } finally {
    await runner.release();
  }
}

/** An exclusive transaction on a file beside the database: the system lets go of it even when the process dies. */
async function underFileLock<T>(lockFile: string, work: () => Promise<T>): Promise<T> {
  const lock = new Database(lockFile, { timeout: 0 });
  try {
    await begin(lock);
    return await work();
  } finally {
    lock.close();
  }
}

/** Tries until the lock is free. The driver's own waiting would hold up the whole process. */
async function begin(lock: Database.Database): Promise<void> {
  const giveUpAt = Date.now() + LOCK_TIMEOUT_SECONDS * 1000;
  for (;;) {
    try {
      lock.exec('BEGIN EXCLUSIVE');
      return;
    } catch (error) {
      if (!isFileLocked(error) || Date.now() > giveUpAt) throw error;
      await pause(LOCK_RETRY_MS);
    }
  }
}
