import type { ExecuteValues, Pool, PoolConnection, QueryError, ResultSetHeader } from 'mysql2';
import { TypedParameter } from 'mysql2';
import { QueryFailedError } from 'typeorm';
import { TimeoutSet } from '../../common/concurrency/timeout-set';
import { DatabaseTimeoutError, isDemotion } from '../errors';
import type { ConnectionMutex } from '../connection-mutex';
import { ConnectionAges } from './connection-ages';
import { pipelineStatements } from './pipelining';
import { destroyConnection } from './pool';

/** Stored because the library's getter loads its module again on every access. */
const asInteger = TypedParameter.LONGLONG;

/** Statements with more parameters have long lists, whose length differs each time: preparing them would not pay. */
const MAX_PREPARED_PARAMETERS = 64;

/** Result of the driver: rows, or the header of a change. */
export type Raw = unknown[] | ResultSetHeader;

/**
 * The driver's pool with time limits on the waits for a slot, a connection and a result. Statements with at most
 * `MAX_PREPARED_PARAMETERS` parameters are prepared.
 */
export class TimedPool {
  readonly #timeouts: TimeoutSet;
  readonly #ages = new ConnectionAges<object>();
  /** Connections with `autocommit = 0`. */
  readonly #transactional = new WeakSet<PoolConnection>();

  constructor(
    private readonly pool: Pool,
    private readonly mutex: ConnectionMutex,
    limitMs: number,
    /** Whether statements are sent without waiting for the results of earlier ones. */
    private readonly isPipelining: boolean,
  ) {
    this.#timeouts = new TimeoutSet(limitMs);
    pool.on('connection', (connection) => this.#ages.track(connection));
  }

  /**
   * Waits for the turn of the current caller to begin a transaction. The caller must call the returned function to
   * release the slot.
   * @throws {DatabaseTimeoutError} if the turn does not come within the time limit
   */
  takeTurn(): Promise<() => void> {
    return this.#withTimeout('slot', this.mutex.acquire(), (release) => release());
  }

  /**
   * Runs a statement on a connection, after the statements of earlier calls. The time limit begins with the call, so it
   * is the same for all statements that are sent together.
   * @param isInTransaction whether the statement belongs to a transaction, which it begins if none is open
   * @throws {QueryFailedError} also after the time limit, when the connection is destroyed
   */
  async queryOn(
    connection: PoolConnection,
    sql: string,
    parameters: unknown[],
    isInTransaction = false,
  ): Promise<Raw> {
    // The server may still run the statement, perhaps within a transaction that the connection's next user would commit
    // unknowingly. The server rolls it back when the connection is destroyed.
    const endTimeout = this.#timeouts.start(() =>
      destroyConnection(connection, this.#timeoutError('result')),
    );
    try {
      const isSwitched = this.#setAutocommit(connection, !isInTransaction);
      const result = send(connection, sql, parameters as ExecuteValues[]);
      const raw = await (isSwitched === undefined ? result : Promise.all([result, isSwitched]).then(first));
      if (isChange(sql, raw)) this.#ages.noteChange(connection);
      return raw;
    } catch (error) {
      if (isDemotion(error)) {
        this.#ages.noteDemotion();
        destroyConnection(connection, error as Error);
      }
      throw new QueryFailedError(sql, parameters, error as Error);
    } finally {
      endTimeout();
    }
  }

  /**
   * Sets `autocommit` before a statement, unless it is set already. Transactions run with 0: a deadlock ends the
   * transaction while the server still executes statements that were sent before its error was read. After START
   * TRANSACTION they would be committed, each on its own; with 0 the ROLLBACK includes them.
   */
  #setAutocommit(connection: PoolConnection, isOn: boolean): Promise<void> | undefined {
    if (this.#transactional.has(connection) !== isOn) return undefined;
    if (isOn) this.#transactional.delete(connection);
    else this.#transactional.add(connection);
    return new Promise((resolve, reject) => {
      connection.query({ sql: `SET autocommit = ${isOn ? 1 : 0}` }, (error) => {
        if (error === null) return resolve();
        destroyConnection(connection, error);
        reject(error);
      });
    });
  }

  /**
   * Runs a statement on any free connection when it is the current caller's turn: otherwise the large reads of one
   * caller could occupy all connections.
   * @throws {DatabaseTimeoutError} if there is no slot or connection within the time limit
   * @throws {QueryFailedError} as `queryOn`
   */
  async query(sql: string, parameters: unknown[]): Promise<Raw> {
    const releaseSlot = await this.#withTimeout('slot', this.mutex.acquireForStatement(), (release) =>
      release(),
    );
    try {
      const connection = await this.getConnection();
      try {
        return await this.queryOn(connection, sql, parameters);
      } finally {
        connection.release();
      }
    } finally {
      releaseSlot();
    }
  }

  /**
   * Returns a connection, which the caller must release.
   * @throws {DatabaseTimeoutError} if none becomes free within the time limit
   */
  getConnection(): Promise<PoolConnection> {
    const pending = new Promise<PoolConnection>((resolve, reject) => {
      const get = (): void =>
        this.pool.getConnection((error, connection) => {
          if (error !== null) return reject(error);
          if (this.#ages.isRetired(connection)) {
            connection.destroy();
            return get();
          }
          if (this.isPipelining) pipelineStatements(connection);
          resolve(connection);
        });
      get();
    });
    return this.#withTimeout('connection', pending, (connection) => connection.release());
  }

  /** @param release releases a result that arrives after the time limit, when its caller does not wait any more */
  #withTimeout<T>(missing: string, pending: Promise<T>, release: (late: T) => void): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    let isLate = false;
    const endTimeout = this.#timeouts.start(() => {
      isLate = true;
      reject(this.#timeoutError(missing));
    });
    const settle = (result: T): void => {
      endTimeout();
      if (isLate) release(result);
      else resolve(result);
    };
    pending.then(settle, (error: Error) => {
      endTimeout();
      reject(error);
    });
    return promise;
  }

  #timeoutError(missing: string): DatabaseTimeoutError {
    return new DatabaseTimeoutError(`No ${missing} within ${this.#timeouts.limitMs} ms`);
  }
}

const TRANSACTION_CONTROL = /^(COMMIT|ROLLBACK|SET TRANSACTION )/;

/** Whether a statement was a change and not a query, as far as the result shows. */
const isChange = (sql: string, raw: Raw): boolean => !Array.isArray(raw) && !TRANSACTION_CONTROL.test(sql);

const first = <T>([value]: [T, unknown]): T => value;

function send(connection: PoolConnection, sql: string, parameters: ExecuteValues[]): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const settle = (error: QueryError | null, raw: Raw): void =>
      error === null ? resolve(raw) : reject(error);
    if (parameters.length === 0 || parameters.length > MAX_PREPARED_PARAMETERS) {
      connection.query(sql, parameters, settle as never);
    } else {
      connection.execute(sql, parameters.map(withType), settle as never);
    }
  });
}

/** Types integers explicitly: the driver would send them as floating-point numbers, which LIMIT does not accept. */
const withType = (value: ExecuteValues): ExecuteValues =>
  Number.isSafeInteger(value) ? asInteger(Number(value)) : (value ?? null);
