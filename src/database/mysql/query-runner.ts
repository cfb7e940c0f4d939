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
import { runStatement } from '../transaction-statements';
import { TimedPool, type Raw } from './timed-pool';
import { destroyConnection } from './pool';

const END = /^(COMMIT|ROLLBACK)$/;
const SET_ISOLATION = /^SET TRANSACTION ISOLATION LEVEL /;

/**
 * A query runner that sends its statements directly to the pool. TypeORM's own path, with listeners, query log and a
 * copy of the rows, takes half as long as the statement itself and does not support prepared statements.
 */
class PooledQueryRunner extends MysqlQueryRunner {
  #connecting?: Promise<PoolConnection>;
  /** Releases the caller's slot of the `ConnectionMutex`. */
  #releaseSlot?: () => void;
  /** Whether the transaction has sent no statement yet. */
  #isUnused = false;
  /** Sets the isolation level of the transaction; sent together with its first statement. */
  #isolation?: string;

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
    if (this.#isImplicit(sql)) return undefined as T;
    const raw = await runStatement(this, sql, () => this.#send(connection, sql, parameters));
    return (structured ? structure(raw) : raw) as T;
  }

  /** Whether a statement needs not be sent: the first statement of a transaction begins it, and an unused one has no end. */
  #isImplicit(sql: string): boolean {
    if (SET_ISOLATION.test(sql)) this.#isolation = sql;
    else if (sql === 'START TRANSACTION') this.#isUnused = true;
    else if (this.#isUnused && END.test(sql)) this.#isolation = undefined;
    else {
      this.#isUnused = false;
      return false;
    }
    return true;
  }

  #send(connection: PoolConnection, sql: string, parameters: unknown[]): Promise<Raw> {
    const isInTransaction = this.isTransactionActive;
    const isolation = this.#isolation;
    if (isolation === undefined) return this.pool.queryOn(connection, sql, parameters, isInTransaction);
    this.#isolation = undefined;
    const isSet = this.pool.queryOn(connection, isolation, [], isInTransaction);
    const result = this.pool.queryOn(connection, sql, parameters, isInTransaction);
    return Promise.all([result, isSet]).then(([raw]) => raw);
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
 * @param isPipelining whether transactions send statements without waiting for earlier results
 */
export function limitWaiting(
  dataSource: DataSource,
  mutex: ConnectionMutex,
  limitMs: number,
  isPipelining: boolean,
): void {
  const driver = dataSource.driver as MysqlDriver;
  const pool = new TimedPool(driver.pool as Pool, mutex, limitMs, isPipelining);
  driver.createQueryRunner = (mode) => new PooledQueryRunner(driver, mode, pool);
  // A statement outside a transaction needs no query runner.
  dataSource.query = <T>(sql: string, parameters: unknown[] = [], runner?: Pick<QueryRunner, 'query'>) =>
    (runner ? runner.query(sql, parameters) : pool.query(sql, parameters)) as Promise<T>;
}
