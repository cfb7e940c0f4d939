import type { PoolConnection } from 'mysql2';
import {
  type DataSource,
  QueryResult,
  type QueryRunner,
  QueryRunnerAlreadyReleasedError,
  type ReplicationMode,
  TransactionAlreadyStartedError,
  TransactionNotStartedError,
} from 'typeorm';
import type { MysqlDriver } from 'typeorm/driver/mysql/MysqlDriver.js';
import { MysqlQueryRunner } from 'typeorm/driver/mysql/MysqlQueryRunner.js';
import type { ConnectionMutex } from '../connection-mutex';
import { TimedPool, type Raw } from './timed-pool';
import { destroyConnection, type Pools } from './pool';

/**
 * A query runner that sends its statements directly to the pools. TypeORM's own path, with listeners, query log and a
 * copy of the rows, takes half as long as the statement itself and does not support prepared statements.
 */
class PooledQueryRunner extends MysqlQueryRunner {
  #connecting?: Promise<PoolConnection>;
  #isEnding = false;
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

  /**
   * Takes a connection on which the next statement begins the transaction, so no statement is sent. Nested transactions
   * and isolation levels are not supported.
   */
  override async startTransaction(isolationLevel?: string): Promise<void> {
    if (this.isReleased) throw new QueryRunnerAlreadyReleasedError();
    if (this.isTransactionActive) throw new TransactionAlreadyStartedError();
    if (isolationLevel !== undefined)
      throw new Error('Isolation levels are not supported; every transaction is READ COMMITTED');
    this.#returnConnection();
    this.#releaseSlot = await this.pool.takeTurn();
    if (this.isReleased) {
      this.#returnConnection();
      throw new QueryRunnerAlreadyReleasedError();
    }
    this.#connecting = this.#use(this.pool.getConnectionForTransaction());
    await this.#connecting;
    this.isTransactionActive = true;
  }

  override async commitTransaction(): Promise<void> {
    await this.#end('COMMIT');
  }

  override async rollbackTransaction(): Promise<void> {
    await this.#end('ROLLBACK');
  }

  override release(): Promise<void> {
    const connection = this.databaseConnection as PoolConnection | undefined;
    // The transaction was not ended, or could not be: the connection's next user would commit it.
    if (connection && this.isTransactionActive)
      destroyConnection(connection, new Error('Connection released with an open transaction'));
    this.isReleased = true;
    this.#returnConnection();
    return Promise.resolve();
  }

  override async query<T>(sql: string, parameters: unknown[] = [], structured = false): Promise<T> {
    if (this.isReleased) throw new QueryRunnerAlreadyReleasedError();
    // The statement would follow the COMMIT, and begin another transaction that is never ended.
    if (this.#isEnding) throw new TransactionNotStartedError();
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

  async #end(statement: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    if (!this.isTransactionActive) throw new TransactionNotStartedError();
    this.#isEnding = true;
    try {
      await this.pool.queryOn(this.databaseConnection as PoolConnection, statement, []);
    } finally {
      this.#isEnding = false;
    }
    this.isTransactionActive = false;
    this.#returnConnection();
  }

  #returnConnection(): void {
    const connection = this.databaseConnection as PoolConnection | undefined;
    this.databaseConnection = undefined;
    this.#connecting = undefined;
    connection?.release();
    this.#releaseSlot?.();
    this.#releaseSlot = undefined;
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
  const pool = new TimedPool(driver.pool as Pools, mutex, limitMs);
  driver.createQueryRunner = (mode) => new PooledQueryRunner(driver, mode, pool);
  // A statement outside a transaction needs no query runner.
  dataSource.query = <T>(sql: string, parameters: unknown[] = [], runner?: Pick<QueryRunner, 'query'>) =>
    (runner ? runner.query(sql, parameters) : pool.query(sql, parameters)) as Promise<T>;
}
