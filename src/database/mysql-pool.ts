import * as mysql2 from 'mysql2';

const LOCK_WAIT_SECONDS = 5;
/** Longer statements carry lists, whose length is another each time: to prepare them would be in vain. */
const MOST_PARAMETERS = 24;
/** Per connection; the server's own limit, 16,382 by default, is for all of them. */
const PREPARED_STATEMENTS = 256;

/**
 * A pool that prepares what is asked often. TypeORM knows only `query`, which sends the text anew each time: the
 * server then parses and plans it anew. Transactions read what is committed: a conditional UPDATE that lost its race
 * must see the winner's row, which the default, REPEATABLE READ, hides. Set once per connection rather than once per
 * transaction.
 */
export function createPool(options: mysql2.PoolOptions): mysql2.Pool {
  const pool = mysql2.createPool({ ...options, maxPreparedStatements: PREPARED_STATEMENTS });
  pool.on('connection', (connection) => {
    prepareShortStatements(connection);
    connection.query('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED');
    connection.query(`SET SESSION innodb_lock_wait_timeout = ${LOCK_WAIT_SECONDS}`);
  });
  return pool;
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
