import type { Socket } from 'node:net';
import * as mysql2 from 'mysql2';

const SET_UP_WITHIN_MS = 5_000;
const LOCK_WAIT_SECONDS = 5;
const SETTINGS = [
  // A conditional UPDATE that lost its race must see the winner's row, which the default, REPEATABLE READ, hides.
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
  `SET SESSION innodb_lock_wait_timeout = ${LOCK_WAIT_SECONDS}`,
];
/** Longer statements carry lists, whose length is another each time: to prepare them would be in vain. */
const MOST_PARAMETERS = 24;
/** Per connection; the server's own limit, 16,382 by default, is for all connections of all instances. */
const PREPARED_STATEMENTS = 100;

/**
 * mysql2's pool; its connections read what is committed, set once per connection rather than per transaction, and they
 * prepare what is asked often. TypeORM knows only `query`, which sends the text anew each time: the server then parses
 * and plans it anew.
 */
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
    prepareShortStatements(connection);
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

function prepareShortStatements(connection: mysql2.PoolConnection): void {
  const wrapped = connection.promise();
  const sendText = wrapped.query.bind(wrapped);
  const query = (sql: string, values: mysql2.ExecuteValues[] = []) =>
    values.length === 0 || values.length > MOST_PARAMETERS
      ? sendText(sql, values)
      : wrapped.execute(sql, values.map(typed));
  const preparing = Object.assign(wrapped, { query });
  connection.promise = () => preparing;
}

/** The driver would send integers as floating-point numbers, which are no good for LIMIT. */
const typed = (value: mysql2.ExecuteValues): mysql2.ExecuteValues =>
  Number.isSafeInteger(value) ? mysql2.TypedParameter.LONGLONG(Number(value)) : (value ?? null);
