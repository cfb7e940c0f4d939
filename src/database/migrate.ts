import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import type { DataSource } from 'typeorm';
import type { DatabaseConfig } from '../config/database-config';
import { isFileLocked } from './errors';

const LOCK_TIMEOUT_SECONDS = 120;
const LOCK_RETRY_MS = 50;
const LOCK_NAME = 'callboard_migrations';

/**
 * Brings the schema up to date. Instances that start at the same time take turns, so each migration runs once.
 * Returns the names of the migrations that ran.
 * @throws {Error} when another instance holds the lock for longer than two minutes
 */
export async function migrate(dataSource: DataSource, database: DatabaseConfig): Promise<string[]> {
  const run = async (): Promise<string[]> => {
    // MySQL commits each statement of a migration by itself.
    const transaction = database.type === 'better-sqlite3' ? 'all' : 'none';
    return (await dataSource.runMigrations({ transaction })).map(({ name }) => name);
  };
  if (database.type !== 'better-sqlite3') return underServerLock(dataSource, run);
  return database.file === ':memory:' ? run() : underFileLock(`${database.file}.migrating`, run);
}

async function underServerLock<T>(dataSource: DataSource, work: () => Promise<T>): Promise<T> {
  const runner = dataSource.createQueryRunner();
  try {
    // The name is the server's own, so the database's is part of it; the server allows 64 characters.
    const lock = `SHA1(CONCAT('${LOCK_NAME}:', DATABASE()))`;
    const rows = (await runner.query(`SELECT GET_LOCK(${lock}, ${LOCK_TIMEOUT_SECONDS}) AS locked`)) as {
      locked: number;
    }[];
    if (rows[0]?.locked !== 1)
      throw new Error('Another instance has been migrating the database for too long');
    try {
      return await work();
    } finally {
      await runner.query(`SELECT RELEASE_LOCK(${lock})`);
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
