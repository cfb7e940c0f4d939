import type { Socket } from 'node:net';
import * as mysql2 from 'mysql2';

const SET_UP_WITHIN_MS = 5_000;
const LOCK_WAIT_SECONDS = 5;
const SETTINGS = [
  // A conditional UPDATE that lost its race must see the winner's row, which the default, REPEATABLE READ, hides.
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
  `SET SESSION innodb_lock_wait_timeout = ${LOCK_WAIT_SECONDS}`,
];
/** Per connection; the server's own limit, 16,382 by default, is for all connections of all instances. */
const PREPARED_STATEMENTS = 100;

/** mysql2's pool; its connections read what is committed, which is set once per connection, not per transaction. */
export function createPool(options: mysql2.PoolOptions): mysql2.Pool {
  const pool = mysql2.createPool({ ...options, maxPreparedStatements: PREPARED_STATEMENTS });
  pool.on('connection', (connection) => {
    // Whoever waits for an answer is told; beyond that a lost connection is no reason to end the process.
    connection.on('error', () => undefined);
    for (const sql of SETTINGS) {
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
  // Missing from the library's types.
  (connection as unknown as { stream: Socket }).stream.destroy(cause);
}
