import type { ExecuteValues, Pool, PoolConnection, QueryError, ResultSetHeader } from 'mysql2';
import { TypedParameter } from 'mysql2';
import { type DataSource, QueryFailedError, QueryResult, type ReplicationMode } from 'typeorm';
import type { MysqlDriver } from 'typeorm/driver/mysql/MysqlDriver.js';
import { MysqlQueryRunner } from 'typeorm/driver/mysql/MysqlQueryRunner.js';
import { Deadlines } from '../common/deadlines';
import { DatabaseSilent } from './database-errors';
import { loseConnection } from './mysql-pool';

/** The library looks for its module anew each time that it is asked for this. */
const asInteger = TypedParameter.LONGLONG;

/** Longer statements carry lists, whose length is another each time: to prepare them would be in vain. */
const MOST_PARAMETERS = 24;

type Parameter = ExecuteValues;
type Raw = unknown[] | ResultSetHeader;

/**
 * A query runner that waits for nothing longer than the limit, neither for a connection nor for an answer, and hands
 * statements straight to the driver, the short ones as prepared statements. TypeORM's own way there, with listeners,
 * its log and a copy of the rows, is text only.
 */
class LimitedQueryRunner extends MysqlQueryRunner {
  constructor(
    driver: MysqlDriver,
    mode: ReplicationMode,
    private readonly deadlines: Deadlines,
  ) {
    super(driver, mode);
  }

  override connect(): Promise<PoolConnection> {
    this.databaseConnectionPromise ??= this.#obtain();
    return this.databaseConnectionPromise as Promise<PoolConnection>;
  }

  override async query<T>(sql: string, parameters: unknown[] = [], structured = false): Promise<T> {
    const connection: PoolConnection = this.databaseConnection ?? (await this.connect());
    // The server may still be at it, perhaps in the middle of a transaction that the connection's next user would
    // commit unawares. Without its connection the server rolls it back.
    const isOver = this.deadlines.begin(() => loseConnection(connection, this.#silence('answer')));
    try {
      const raw = await ask(connection, sql, parameters as Parameter[]);
      return (structured ? structure(raw) : raw) as T;
    } catch (error) {
      throw new QueryFailedError(sql, parameters, error as Error);
    } finally {
      isOver();
    }
  }

  #obtain(): Promise<PoolConnection> {
    const { promise, resolve, reject } = Promise.withResolvers<PoolConnection>();
    let isLate = false;
    const isOver = this.deadlines.begin(() => {
      isLate = true;
      reject(this.#silence('connection'));
    });
    (this.driver.pool as Pool).getConnection((error, connection) => {
      isOver();
      if (error !== null) return reject(error);
      // Nobody waits any longer for what comes late.
      if (isLate) return connection.release();
      this.databaseConnection = connection;
      resolve(connection);
    });
    return promise;
  }

  #silence(missing: string): DatabaseSilent {
    return new DatabaseSilent(`No ${missing} within ${this.deadlines.limitMs} ms`);
  }
}

function ask(connection: PoolConnection, sql: string, parameters: Parameter[]): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const settle = (error: QueryError | null, raw: Raw): void =>
      error === null ? resolve(raw) : reject(error);
    if (parameters.length === 0 || parameters.length > MOST_PARAMETERS) {
      connection.query(sql, parameters, settle as never);
    } else {
      connection.execute(sql, parameters.map(typed), settle as never);
    }
  });
}

/** The driver would send integers as floating-point numbers, which are no good for LIMIT. */
const typed = (value: Parameter): Parameter =>
  Number.isSafeInteger(value) ? asInteger(Number(value)) : (value ?? null);

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
  const deadlines = new Deadlines(limitMs);
  driver.createQueryRunner = (mode) => new LimitedQueryRunner(driver, mode, deadlines);
}
