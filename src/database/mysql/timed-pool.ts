import type { ExecuteValues, Pool, PoolConnection, QueryError, ResultSetHeader } from 'mysql2';
import { TypedParameter } from 'mysql2';
import { QueryFailedError } from 'typeorm';
import { TimeLimits } from '../../common/concurrency/time-limits';
import { DatabaseSilent, isDemotion } from '../errors';
import type { ConnectionLease } from '../lease';
import { ConnectionAges } from './connection-ages';
import { loseConnection, type Pools } from './pool';

/** The library looks for its module anew each time that it is asked for this. */
const asInteger = TypedParameter.LONGLONG;

/** Longer statements carry long lists, whose length is another each time: to prepare them would be in vain. */
const MOST_PARAMETERS = 64;

/** What the driver answers: rows, or what became of a change. */
export type Raw = unknown[] | ResultSetHeader;

/**
 * Pools of the driver with time limits on the wait for a turn, a connection and a result. Short statements are prepared.
 */
export class TimedPool {
  readonly #deadlines: TimeLimits;
  readonly #ages = new ConnectionAges<object>();

  constructor(
    private readonly pools: Pools,
    private readonly lease: ConnectionLease,
    limitMs: number,
  ) {
    this.#deadlines = new TimeLimits(limitMs);
    for (const pool of [pools, pools.transactions])
      pool.on('connection', (connection) => this.#ages.track(connection));
  }

  /** A connection, to be released by whoever asked. @throws {DatabaseSilent} none in time */
  obtain(): Promise<PoolConnection> {
    return this.#obtainFrom(this.pools);
  }

  /** The current caller's turn to begin a transaction, which the returned function ends. @throws {DatabaseSilent} not in time */
  takeTurn(): Promise<() => void> {
    return this.#inTime('turn', this.lease.acquire(), (leave) => leave());
  }

  /** One on which the first statement begins a transaction. @throws {DatabaseSilent} none in time */
  obtainForTransaction(): Promise<PoolConnection> {
    return this.#obtainFrom(this.pools.transactions);
  }

  /** What the server answers to a statement on a connection. @throws {QueryFailedError} also for an answer too late */
  async ask(connection: PoolConnection, sql: string, parameters: unknown[]): Promise<Raw> {
    // The server may still be at it, perhaps in the middle of a transaction that the connection's next user would
    // commit unawares. Without its connection the server rolls it back.
    const isOver = this.#deadlines.begin(() => loseConnection(connection, this.#silence('answer')));
    try {
      const raw = await send(connection, sql, parameters as ExecuteValues[]);
      if (isChange(sql, raw)) this.#ages.noteChange(connection);
      return raw;
    } catch (error) {
      if (isDemotion(error)) {
        this.#ages.noteDemotion();
        loseConnection(connection, error as Error);
      }
      throw new QueryFailedError(sql, parameters, error as Error);
    } finally {
      isOver();
    }
  }

  /**
   * Sends a statement on any free connection when it is the current caller's turn: one caller's large reads would else occupy all of
   * them. @throws as `takeTurn`, `obtain` and `ask` do
   */
  async askAnywhere(sql: string, parameters: unknown[]): Promise<Raw> {
    const endTurn = await this.#inTime('turn', this.lease.acquireForStatement(), (leave) => leave());
    try {
      const connection = await this.obtain();
      try {
        return await this.ask(connection, sql, parameters);
      } finally {
        connection.release();
      }
    } finally {
      endTurn();
    }
  }

  #obtainFrom(pool: Pool): Promise<PoolConnection> {
    const obtained = new Promise<PoolConnection>((resolve, reject) => {
      const take = (): void =>
        pool.getConnection((error, connection) => {
          if (error !== null) return reject(error);
          if (!this.#ages.isRetired(connection)) return resolve(connection);
          connection.destroy();
          take();
        });
      take();
    });
    return this.#inTime('connection', obtained, (connection) => connection.release());
  }

  /** @param giveBack takes what comes late, for which nothing waits any longer */
  #inTime<T>(missing: string, obtained: Promise<T>, giveBack: (late: T) => void): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    let isLate = false;
    const isOver = this.#deadlines.begin(() => {
      isLate = true;
      reject(this.#silence(missing));
    });
    const settle = (result: T): void => {
      isOver();
      if (isLate) giveBack(result);
      else resolve(result);
    };
    obtained.then(settle, (error: Error) => {
      isOver();
      reject(error);
    });
    return promise;
  }

  #silence(missing: string): DatabaseSilent {
    return new DatabaseSilent(`No ${missing} within ${this.#deadlines.limitMs} ms`);
  }
}

/** Whether a statement has changed rows, as far as the server's answer tells. */
const isChange = (sql: string, raw: Raw): boolean =>
  !Array.isArray(raw) && sql !== 'COMMIT' && sql !== 'ROLLBACK';

function send(connection: PoolConnection, sql: string, parameters: ExecuteValues[]): Promise<Raw> {
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
const typed = (value: ExecuteValues): ExecuteValues =>
  Number.isSafeInteger(value) ? asInteger(Number(value)) : (value ?? null);
