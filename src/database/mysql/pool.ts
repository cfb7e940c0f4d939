import type { Socket } from 'node:net';
import * as mysql2 from 'mysql2';

/** Maximum number of concurrent transactions, and of concurrent statements outside transactions. */
export const MAX_TRANSACTIONS = 10;
export const MAX_STATEMENTS = 10;
/**
 * Connections of an instance. Fewer than both maxima together, because both are rarely reached at the same time. Above
 * each of them, so that statements continue while all transactions wait for locks, and transactions during slow reads.
 */
export const POOL_SIZE = 15;
const SETUP_TIMEOUT_MS = 5_000;
const LOCK_WAIT_SECONDS = 5;
/**
 * Time after which the server closes a session without statements. It ends the open transaction of an instance that
 * hangs or has lost its network, whose locks would otherwise last for the server's default of eight hours.
 */
export const SILENCE_SECONDS = 120;
/**
 * Statements that set up every session, regardless of the server's defaults. The driver inserts values into long
 * statements as text, with backslash escapes and in UTF-8: under another SQL mode or character set user input would be
 * parsed as SQL.
 */
const SETTINGS = [
  'SET NAMES utf8mb4 COLLATE utf8mb4_general_ci',
  `SET SESSION sql_mode = '${[
    'STRICT_TRANS_TABLES',
    'NO_ZERO_IN_DATE',
    'NO_ZERO_DATE',
    'ERROR_FOR_DIVISION_BY_ZERO',
    'NO_ENGINE_SUBSTITUTION',
  ].join()}', time_zone = '+00:00', autocommit = 1, completion_type = NO_CHAIN, innodb_lock_wait_timeout = ${LOCK_WAIT_SECONDS}, wait_timeout = ${SILENCE_SECONDS}`,
  // The loser of a race on a conditional UPDATE must see the winner's row; the default, REPEATABLE READ, hides it.
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
];
/** Maximum number per connection. The server's limit, 16,382 by default, counts all connections of all instances. */
const MAX_PREPARED_STATEMENTS = 100;

/** Creates a mysql2 pool whose connections have the session settings above, which are set once per connection. */
export function createPool(options: mysql2.PoolOptions): mysql2.Pool {
  const pool = mysql2.createPool({
    ...options,
    maxPreparedStatements: MAX_PREPARED_STATEMENTS,
    // A reset would undo the session settings.
    resetOnRelease: false,
  });
  pool.on('connection', (connection) => {
    // Pending statements are rejected anyway; without a listener the lost connection would end the process.
    connection.on('error', () => undefined);
    for (const sql of SETTINGS) {
      // A connection whose setup fails, because the server hangs or is stopping, must not be used.
      connection.query({ sql, timeout: SETUP_TIMEOUT_MS }, (error) => {
        if (error) destroyConnection(connection, error);
      });
    }
  });
  return pool;
}

/**
 * Destroys a connection in an unknown state: the server rolls back its open transaction, the pool removes it, and its
 * pending statements fail with `cause`. (`destroy()` of the driver would leave them pending forever.)
 */
export function destroyConnection(connection: mysql2.PoolConnection, cause: Error): void {
  // Otherwise the pool would notice only when the stream has closed, and would hand out the connection until then.
  connection.emit('error', cause);
  // Missing from the library's types.
  (connection as unknown as { stream: Socket }).stream.destroy(cause);
}
