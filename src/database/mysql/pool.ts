import type { Socket } from 'node:net';
import * as mysql2 from 'mysql2';

/** Connections in each of the two pools. */
export const POOL_SIZE = 10;
const SET_UP_WITHIN_MS = 5_000;
const LOCK_WAIT_SECONDS = 5;
/**
 * What every session is told before anything else, whatever the server's settings are for others. The driver puts
 * values into long statements as text, with backslashes for escapes and in UTF-8: under another mode or character set
 * what a user wrote would be read as SQL.
 */
const SETTINGS = [
  'SET NAMES utf8mb4 COLLATE utf8mb4_general_ci',
  `SET SESSION sql_mode = '${[
    'STRICT_TRANS_TABLES',
    'NO_ZERO_IN_DATE',
    'NO_ZERO_DATE',
    'ERROR_FOR_DIVISION_BY_ZERO',
    'NO_ENGINE_SUBSTITUTION',
  ].join()}', time_zone = '+00:00', completion_type = NO_CHAIN, innodb_lock_wait_timeout = ${LOCK_WAIT_SECONDS}`,
  // A conditional UPDATE that lost its race must see the winner's row, which the default, REPEATABLE READ, hides.
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
];
const EACH_BY_ITSELF = 'SET SESSION autocommit = 1';
/** Whatever is sent first begins a transaction: one trip less for each. */
const ALWAYS_IN_A_TRANSACTION = 'SET SESSION autocommit = 0';
/** Per connection; the server's own limit, 16,382 by default, is for all connections of all instances. */
const PREPARED_STATEMENTS = 100;

/** mysql2's pool, for statements by themselves, and another for transactions that ends with it. */
export type Pools = mysql2.Pool & { readonly transactions: mysql2.Pool };

/** Pools whose connections have the settings above, which are made once per connection, not per transaction. */
export function createPool(options: mysql2.PoolOptions): Pools {
  const pool = openPool(options, [...SETTINGS, EACH_BY_ITSELF]);
  const transactions = openPool(options, [...SETTINGS, ALWAYS_IN_A_TRANSACTION]);
  const end = pool.end.bind(pool);
  return Object.assign(pool, {
    transactions,
    end: (callback?: Parameters<typeof end>[0]) =>
      transactions.end((error) => end((second) => callback?.(error ?? second))),
  });
}

function openPool(options: mysql2.PoolOptions, settings: string[]): mysql2.Pool {
  const pool = mysql2.createPool({
    ...options,
    maxPreparedStatements: PREPARED_STATEMENTS,
    // It would undo the settings.
    resetOnRelease: false,
  });
  pool.on('connection', (connection) => {
    // Whoever waits for an answer is told; beyond that a lost connection is no reason to end the process.
    connection.on('error', () => undefined);
    for (const sql of settings) {
      // One that could not be set up, by a server that hangs or is stopping, must not be used.
      connection.query({ sql, timeout: SET_UP_WITHIN_MS }, (error) => {
        if (error) loseConnection(connection, error);
      });
    }
  });
  return pool;
}

/**
 * Breaks a connection that cannot be trusted any more: the server rolls back what was open on it, the pool forgets it,
 * and whatever still waits on it fails with `cause`. (`destroy()` would leave those waiting for ever.)
 */
export function loseConnection(connection: mysql2.PoolConnection, cause: Error): void {
  // The pool would only hear of it when the stream has closed, and hand the connection out until then.
  connection.emit('error', cause);
  // Missing from the library's types.
  (connection as unknown as { stream: Socket }).stream.destroy(cause);
}
