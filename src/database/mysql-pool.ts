import type { Socket } from 'node:net';
import * as mysql2 from 'mysql2';

const PREPARED_WITHIN_MS = 5_000;
const LOCK_WAIT_SECONDS = 5;
const PREPARATIONS = [
  // A conditional UPDATE that lost its race must see the winner's row, which the default, REPEATABLE READ, hides.
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
  `SET SESSION innodb_lock_wait_timeout = ${LOCK_WAIT_SECONDS}`,
];

/** mysql2's pool; its connections read what is committed, set once per connection rather than per transaction. */
export function createReadCommittedPool(options: mysql2.PoolOptions): mysql2.Pool {
  const pool = mysql2.createPool(options);
  pool.on('connection', (connection) => {
    // Whoever waits for an answer is told; beyond that a lost connection is no reason to end the process.
    connection.on('error', () => undefined);
    for (const sql of PREPARATIONS) {
      // One that could not be prepared, by a server that hangs or is stopping, must not be used.
      connection.query({ sql, timeout: PREPARED_WITHIN_MS }, (error) => {
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
