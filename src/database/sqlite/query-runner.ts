import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import { BetterSqlite3QueryRunner } from 'typeorm/driver/better-sqlite3/BetterSqlite3QueryRunner.js';
import { TIMINGS } from '../../common/timings';
import { isFileLocked } from '../errors';
import { ConnectionLease } from '../lease';

interface SqliteConnection {
  pragma(statement: string): unknown;
}

const FILE_LOCK_RETRY_MS = 20;

/** A query runner of its own for every user of the SQLite connection, taking turns by the lease. */
class LeasedQueryRunner extends BetterSqlite3QueryRunner {
  #release?: () => void;

  constructor(
    driver: BetterSqlite3Driver,
    private readonly lease: ConnectionLease,
  ) {
    super(driver);
  }

  override async startTransaction(
    ...args: Parameters<BetterSqlite3QueryRunner['startTransaction']>
  ): Promise<void> {
    if (this.#release) return super.startTransaction(...args);
    this.#release = await this.lease.acquire();
    try {
      await super.startTransaction(...args);
    } catch (error) {
      this.isTransactionActive = false;
      this.#giveBack();
      throw error;
    }
  }

  override async commitTransaction(): Promise<void> {
    await super.commitTransaction();
    if (!this.isTransactionActive) this.#giveBack();
  }

  override async rollbackTransaction(): Promise<void> {
    // A failed ROLLBACK leaves the depth as it was; the lease must be given back all the same.
    const outermost = this.transactionDepth <= 1;
    try {
      await super.rollbackTransaction();
    } finally {
      if (outermost) this.#giveBack();
    }
  }

  override async query<T>(sql: string, parameters?: unknown[], structured?: boolean): Promise<T> {
    // Taking the write lock at once spares a transaction that reads first from failing when it comes to write,
    // should another process use the file.
    const statement = sql === 'BEGIN TRANSACTION' ? 'BEGIN IMMEDIATE TRANSACTION' : sql;
    const run = (): Promise<T> => super.query(statement, parameters, structured);
    if (this.#release) return whenFree(run);
    const release = await this.lease.acquire();
    try {
      return await whenFree(run);
    } finally {
      release();
    }
  }

  #giveBack(): void {
    this.#release?.();
    this.#release = undefined;
  }
}

/**
 * Tries until another process lets go of the file, for five seconds. The driver's own waiting is kept short
 * (`BUSY_TIMEOUT_MS`), because it holds up the whole process.
 */
async function whenFree<T>(run: () => Promise<T>): Promise<T> {
  const giveUpAt = Date.now() + TIMINGS.fileLockWithinMs;
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
 * SQLite's `integer` has 64 bits, and only that type can be an auto-incremented key; its `text` has no limit.
 */
const SQLITE_TYPES: Record<string, string> = { bigint: 'integer', mediumtext: 'text' };

/**
 * Takes all that is in the write-ahead log over into the file and empties it, so that nothing stays there that was deleted
 * (contract 17). SQLite does so by itself only when nobody else has the file open.
 */
function emptyLog(driver: BetterSqlite3Driver): void {
  try {
    (driver.databaseConnection as SqliteConnection | undefined)?.pragma('wal_checkpoint(TRUNCATE)');
  } catch {
    // Another process is at work in the file, or the disk is full: no reason not to stop, and the last to close it tries again.
  }
}

/**
 * Makes a SQLite data source safe for concurrent use. TypeORM gives all of it one query runner, and with it one
 * transaction state (TypeORM #307, #1884, #8668); here each user gets its own, and the lease lets one in at a time.
 */
export function leaseConnection(dataSource: DataSource, lease: ConnectionLease): void {
  const driver = dataSource.driver as BetterSqlite3Driver;
  driver.createQueryRunner = () => new LeasedQueryRunner(driver, lease);
  const disconnect = driver.disconnect.bind(driver);
  driver.disconnect = () => {
    emptyLog(driver);
    return disconnect();
  };
  const normalizeType = driver.normalizeType.bind(driver);
  driver.normalizeType = (column) => SQLITE_TYPES[String(column.type)] ?? normalizeType(column);
}
