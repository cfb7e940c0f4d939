import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import { BetterSqlite3QueryRunner } from 'typeorm/driver/better-sqlite3/BetterSqlite3QueryRunner.js';
import { TIMINGS } from '../../common/timings';
import { isFileLocked } from '../errors';
import { ConnectionMutex } from '../connection-mutex';
import { runStatement } from '../transaction-statements';
import type { SqliteConnection } from './remember-statements';

const FILE_LOCK_RETRY_MS = 20;

/**
 * A query runner on the one SQLite connection, which it shares with other query runners through the `ConnectionMutex`.
 */
class SerialQueryRunner extends BetterSqlite3QueryRunner {
  #release?: () => void;
  /** Ends when the last statement of the transaction has ended. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    driver: BetterSqlite3Driver,
    private readonly mutex: ConnectionMutex,
  ) {
    super(driver);
  }

  override async startTransaction(
    ...args: Parameters<BetterSqlite3QueryRunner['startTransaction']>
  ): Promise<void> {
    if (this.#release) return super.startTransaction(...args);
    this.#release = await this.mutex.acquire();
    try {
      await super.startTransaction(...args);
    } catch (error) {
      this.isTransactionActive = false;
      this.#releaseConnection();
      throw error;
    }
  }

  override async commitTransaction(): Promise<void> {
    await super.commitTransaction();
    if (!this.isTransactionActive) this.#releaseConnection();
  }

  override async rollbackTransaction(): Promise<void> {
    // A failed ROLLBACK leaves the depth unchanged; the mutex must be released nevertheless.
    const outermost = this.transactionDepth <= 1;
    try {
      await super.rollbackTransaction();
    } finally {
      if (outermost) this.#releaseConnection();
    }
  }

  override async query<T>(sql: string, parameters?: unknown[], structured?: boolean): Promise<T> {
    // Takes the write lock immediately: a transaction that reads first would fail at its first write if another process
    // has written to the file meanwhile.
    const statement = sql === 'BEGIN TRANSACTION' ? 'BEGIN IMMEDIATE TRANSACTION' : sql;
    const run = (): Promise<T> => super.query(statement, parameters, structured);
    return runStatement(this, sql, () => (this.#release ? this.#runNext(run) : this.#runAlone(run)));
  }

  /** Runs a statement of the open transaction after those that were sent before. */
  #runNext<T>(run: () => Promise<T>): Promise<T> {
    const result = this.#last.then(() => retryWhileLocked(run));
    this.#last = result.catch(() => undefined);
    return result;
  }

  async #runAlone<T>(run: () => Promise<T>): Promise<T> {
    const release = await this.mutex.acquire();
    try {
      return await retryWhileLocked(run);
    } finally {
      release();
    }
  }

  #releaseConnection(): void {
    this.#release?.();
    this.#release = undefined;
  }
}

/**
 * Retries while another process has locked the file, by default for up to five seconds. The driver's own waiting is short
 * (`BUSY_TIMEOUT_MS`) because it blocks the whole process.
 */
export async function retryWhileLocked<T>(
  run: () => T | Promise<T>,
  withinMs = TIMINGS.fileLockWithinMs,
): Promise<T> {
  const giveUpAt = Date.now() + withinMs;
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!isFileLocked(error) || Date.now() > giveUpAt) throw error;
      await pause(FILE_LOCK_RETRY_MS);
    }
  }
}

/**
 * SQLite's `integer` has 64 bits, and only that type can be an auto-incremented key; its `text` has no length limit.
 */
const SQLITE_TYPES: Record<string, string> = { bigint: 'integer', mediumtext: 'text' };

/**
 * Checkpoints the write-ahead log and truncates it, so that it contains no deleted data (API 6.6). SQLite does so
 * by itself only when no other process has the file open.
 */
function truncateWal(driver: BetterSqlite3Driver): void {
  try {
    (driver.databaseConnection as SqliteConnection | undefined)?.pragma('wal_checkpoint(TRUNCATE)');
  } catch {
    // Another process uses the file, or the disk is full. The last process that closes the file tries again.
  }
}

/**
 * Makes a SQLite data source safe for concurrent use. TypeORM uses one query runner, and so one transaction state, for
 * the whole data source (TypeORM #307, #1884, #8668). Here every caller gets its own query runner, and the
 * `ConnectionMutex` admits one at a time.
 */
export function serializeStatements(dataSource: DataSource, mutex: ConnectionMutex): void {
  const driver = dataSource.driver as BetterSqlite3Driver;
  driver.createQueryRunner = () => new SerialQueryRunner(driver, mutex);
  const disconnect = driver.disconnect.bind(driver);
  driver.disconnect = () => {
    truncateWal(driver);
    return disconnect();
  };
  const normalizeType = driver.normalizeType.bind(driver);
  driver.normalizeType = (column) => SQLITE_TYPES[String(column.type)] ?? normalizeType(column);
}
