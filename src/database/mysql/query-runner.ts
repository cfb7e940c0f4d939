import type { Pool, PoolConnection } from 'mysql2';
import {
  type DataSource,
  QueryResult,
  type QueryRunner,
  QueryRunnerAlreadyReleasedError,
  type ReplicationMode,
} from 'typeorm';
import type { MysqlDriver } from 'typeorm/driver/mysql/MysqlDriver.js';
import { MysqlQueryRunner } from 'typeorm/driver/mysql/MysqlQueryRunner.js';
import type { ConnectionMutex } from '../connection-mutex';
import { TimedPool, type Raw } from './timed-pool';
import { destroyConnection } from './pool';

/**
 * A query runner that sends its statements directly to the pool. TypeORM's own path, with listeners, query log and a
 * copy of the rows, takes half as long as the statement itself and does not support prepared statements.
 */
class PooledQueryRunner extends MysqlQueryRunner {
  #connecting?: Promise<PoolConnection>;
  /** Releases the caller's slot of the `ConnectionMutex`. */
  #releaseSlot?: () => void;

  constructor(
    driver: MysqlDriver,
    mode: ReplicationMode,
    private readonly pool: TimedPool,
  ) {
    super(driver, mode);
  }

  override connect(): Promise<PoolConnection> {
    return (this.#connecting ??= this.#use(this.pool.getConnection()));
  }

  /** Waits for the caller's turn before it takes a connection. The slot is occupied until `release`. */
  override async startTransaction(...args: Parameters<MysqlQueryRunner['startTransaction']>): Promise<void> {
    if (!this.isTransactionActive && !this.isReleased) this.#releaseSlot ??= await this.pool.takeTurn();
    // Released during the wait.
    if (this.isReleased) this.#releaseSlot?.();
    await super.startTransaction(...args);
  }

  override release(): Promise<void> {
    if (this.isReleased) return Promise.resolve();
    this.isReleased = true;
    const connection = this.databaseConnection as PoolConnection | undefined;
    // The transaction was not ended, or could not be: the connection's next user would commit it.
    if (connection && this.isTransactionActive)
      destroyConnection(connection, new Error('Connection released with an open transaction'));
    connection?.release();
    this.#releaseSlot?.();
    return Promise.resolve();
  }

  override async query<T>(sql: string, parameters: unknown[] = [], structured = false): Promise<T> {
    if (this.isReleased) throw new QueryRunnerAlreadyReleasedError();
    const connection: PoolConnection = this.databaseConnection ?? (await this.connect());
    const raw = await this.pool.queryOn(connection, sql, parameters);
    return (structured ? structure(raw) : raw) as T;
  }

  async #use(pending: Promise<PoolConnection>): Promise<PoolConnection> {
    const connection = await pending;
    if (this.isReleased) {
      connection.release();
      throw new QueryRunnerAlreadyReleasedError();
    }
    this.databaseConnection = connection;
    return connection;
  }
}

/** Converts a result to the form that TypeORM's query builders expect. */
function structure(raw: Raw): QueryResult {
  const result = new QueryResult();
  result.raw = raw;
  if (Array.isArray(raw)) result.records = raw;
  else result.affected = raw.affectedRows;
  return result;
}

/**
 * Limits every wait of a query on MySQL, for its slot, a connection or a result, to `limitMs`. A server that hangs
 * without closing its connections would otherwise block every request, and every connection, forever. Called after the
 * migrations, which have no time limit.
 */
export function limitWaiting(dataSource: DataSource, mutex: ConnectionMutex, limitMs: number): void {
  const driver = dataSource.driver as MysqlDriver;
  const pool = new TimedPool(driver.pool as Pool, mutex, limitMs);
  driver.createQueryRunner = (mode) => new PooledQueryRunner(driver, mode, pool);
  // A statement outside a transaction needs no query runner.
  dataSource.query = <T>(sql: string, parameters: unknown[] = [], runner?: Pick<QueryRunner, 'query'>) =>
    (runner ? runner.query(sql, parameters) : pool.query(sql, parameters)) as Promise<T>;
}
