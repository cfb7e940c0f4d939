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
import type { ConnectionLease } from '../lease';
import { TimedPool, type Raw } from './timed-pool';
import { loseConnection, type Pools } from './pool';

/**
 * A query runner that hands its statements straight to the pools. TypeORM's own way there, with listeners, its log and
 * a copy of the rows, takes half as long as the statement itself and knows only text.
 */
class PooledQueryRunner extends MysqlQueryRunner {
  #connecting?: Promise<PoolConnection>;
  #isEnding = false;
  /** Ends the caller's turn. */
  #leave?: () => void;

  constructor(
    driver: MysqlDriver,
    mode: ReplicationMode,
    private readonly pool: TimedPool,
  ) {
    super(driver, mode);
  }

  override connect(): Promise<PoolConnection> {
    return (this.#connecting ??= this.#use(this.pool.obtain()));
  }

  /** No statement is needed: the next one begins the transaction. There is one level of them, and one of isolation. */
  override async startTransaction(isolationLevel?: string): Promise<void> {
    if (this.isReleased) throw new QueryRunnerAlreadyReleasedError();
    if (this.isTransactionActive) throw new TransactionAlreadyStartedError();
    if (isolationLevel !== undefined) throw new Error('Every transaction reads what is committed');
    this.#giveBack();
    this.#leave = await this.pool.takeTurn();
    if (this.isReleased) {
      this.#giveBack();
      throw new QueryRunnerAlreadyReleasedError();
    }
    this.#connecting = this.#use(this.pool.obtainForTransaction());
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
    // Nobody has ended the transaction, or it could not be ended: the connection's next user would commit it.
    if (connection && this.isTransactionActive)
      loseConnection(connection, new Error('Left in a transaction'));
    this.isReleased = true;
    this.#giveBack();
    return Promise.resolve();
  }

  override async query<T>(sql: string, parameters: unknown[] = [], structured = false): Promise<T> {
    if (this.isReleased) throw new QueryRunnerAlreadyReleasedError();
    // It would come after the COMMIT, and begin another transaction that nobody ends.
    if (this.#isEnding) throw new TransactionNotStartedError();
    const connection: PoolConnection = this.databaseConnection ?? (await this.connect());
    const raw = await this.pool.ask(connection, sql, parameters);
    return (structured ? structure(raw) : raw) as T;
  }

  async #use(obtained: Promise<PoolConnection>): Promise<PoolConnection> {
    const connection = await obtained;
    if (this.isReleased) {
      connection.release();
      throw new QueryRunnerAlreadyReleasedError();
    }
    this.databaseConnection = connection;
    return connection;
  }

  async #end(word: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    if (!this.isTransactionActive) throw new TransactionNotStartedError();
    this.#isEnding = true;
    try {
      await this.pool.ask(this.databaseConnection as PoolConnection, word, []);
    } finally {
      this.#isEnding = false;
    }
    this.isTransactionActive = false;
    this.#giveBack();
  }

  #giveBack(): void {
    const connection = this.databaseConnection as PoolConnection | undefined;
    this.databaseConnection = undefined;
    this.#connecting = undefined;
    connection?.release();
    this.#leave?.();
    this.#leave = undefined;
  }
}

/** What TypeORM's query builders ask for. */
function structure(raw: Raw): QueryResult {
  const result = new QueryResult();
  result.raw = raw;
  if (Array.isArray(raw)) result.records = raw;
  else result.affected = raw.affectedRows;
  return result;
}

/**
 * From now on no query on MySQL waits longer than `limitMs` for a connection or an answer: a server that hangs
 * without refusing would otherwise keep every request, and every connection, for ever. Migrations run before this, as
 * they may take as long as they need.
 */
export function limitWaiting(dataSource: DataSource, lease: ConnectionLease, limitMs: number): void {
  const driver = dataSource.driver as MysqlDriver;
  const pool = new TimedPool(driver.pool as Pools, lease, limitMs);
  driver.createQueryRunner = (mode) => new PooledQueryRunner(driver, mode, pool);
  // Outside a transaction a statement needs no query runner of its own.
  dataSource.query = <T>(sql: string, parameters: unknown[] = [], runner?: Pick<QueryRunner, 'query'>) =>
    (runner ? runner.query(sql, parameters) : pool.askAnywhere(sql, parameters)) as Promise<T>;
}
