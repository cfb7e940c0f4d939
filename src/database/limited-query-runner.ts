import type { PoolConnection } from 'mysql2';
import type { DataSource, ReplicationMode } from 'typeorm';
import type { MysqlDriver } from 'typeorm/driver/mysql/MysqlDriver.js';
import { MysqlQueryRunner } from 'typeorm/driver/mysql/MysqlQueryRunner.js';
import { DatabaseSilent } from './database-errors';
import { loseConnection } from './mysql-pool';

/** A query runner that waits for nothing longer than `limitMs`: neither for a connection nor for an answer. */
class LimitedQueryRunner extends MysqlQueryRunner {
  constructor(
    driver: MysqlDriver,
    mode: ReplicationMode,
    private readonly limitMs: number,
  ) {
    super(driver, mode);
  }

  override connect(): Promise<PoolConnection> {
    this.databaseConnectionPromise ??= this.#obtain();
    return this.databaseConnectionPromise as Promise<PoolConnection>;
  }

  override async query<T>(sql: string, parameters?: unknown[], structured?: boolean): Promise<T> {
    const connection = await this.connect();
    // The server may still be at it, perhaps in the middle of a transaction that the connection's next user would
    // commit unawares. Without its connection the server rolls it back.
    const timer = setTimeout(
      () => loseConnection(connection, new DatabaseSilent(`No answer within ${this.limitMs} ms`)),
      this.limitMs,
    );
    try {
      return (await super.query(sql, parameters, structured)) as T;
    } finally {
      clearTimeout(timer);
    }
  }

  async #obtain(): Promise<PoolConnection> {
    const obtaining = this.driver.obtainMasterConnection() as Promise<PoolConnection>;
    const silence = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => silence.reject(new DatabaseSilent(`No connection within ${this.limitMs} ms`)),
      this.limitMs,
    );
    try {
      const connection = await Promise.race([obtaining, silence.promise]);
      this.databaseConnection = connection;
      return connection;
    } catch (error) {
      // Nobody waits any longer for what may still come.
      obtaining.then(
        (late) => late.release(),
        () => undefined,
      );
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}

/**
 * From now on no query on MySQL waits longer than `limitMs` for a connection or an answer: a server that hangs
 * without refusing would otherwise keep every request, and every connection, for ever. Migrations run before this, as
 * they may take as long as they need.
 */
export function limitWaiting(dataSource: DataSource, limitMs: number): void {
  const driver = dataSource.driver as MysqlDriver;
  driver.createQueryRunner = (mode) => new LimitedQueryRunner(driver, mode, limitMs);
}
