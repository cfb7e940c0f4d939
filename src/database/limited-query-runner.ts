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
import { LimitedPool, type Raw } from './limited-pool';

/**
 * A query runner that hands its statements straight to the pool. TypeORM's own way there, with listeners, its log and
 * a copy of the rows, takes half as long as the statement itself and knows only text.
 */
class LimitedQueryRunner extends MysqlQueryRunner {
  constructor(
    driver: MysqlDriver,
    mode: ReplicationMode,
    private readonly pool: LimitedPool,
  ) {
    super(driver, mode);
  }

  override connect(): Promise<PoolConnection> {
    this.databaseConnectionPromise ??= this.pool.obtain().then((connection) => {
      this.databaseConnection = connection;
      return connection;
    });
    return this.databaseConnectionPromise as Promise<PoolConnection>;
  }

  override async query<T>(sql: string, parameters: unknown[] = [], structured = false): Promise<T> {
    if (this.isReleased) throw new QueryRunnerAlreadyReleasedError();
    const connection: PoolConnection = this.databaseConnection ?? (await this.connect());
    const raw = await this.pool.ask(connection, sql, parameters);
    return (structured ? structure(raw) : raw) as T;
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
export function limitWaiting(dataSource: DataSource, limitMs: number): void {
  const driver = dataSource.driver as MysqlDriver;
  const pool = new LimitedPool(driver.pool as Pool, limitMs);
  driver.createQueryRunner = (mode) => new LimitedQueryRunner(driver, mode, pool);
  // Outside a transaction a statement needs no query runner of its own.
  dataSource.query = <T>(sql: string, parameters: unknown[] = [], runner?: Pick<QueryRunner, 'query'>) =>
    (runner ? runner.query(sql, parameters) : pool.askAnywhere(sql, parameters)) as Promise<T>;
}
