import {
  createPool,
  type PoolConnection,
  type QueryError,
  type ResultSetHeader,
  TypedParameter,
} from 'mysql2';

/** As many as the service has. */
const POOL_SIZE = 20;
const DEADLOCK = 1213;

const { DATABASE_URL = '' } = process.env;

const pool = createPool({
  uri: DATABASE_URL.replace(/^mariadb:/, 'mysql:'),
  connectionLimit: POOL_SIZE,
  charset: 'utf8mb4',
  timezone: 'Z',
  supportBigNumbers: true,
});
pool.on('connection', (connection) => {
  connection.query('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED');
});

export type Connection = PoolConnection;
export type Value = string | number | Date | null;

/** The library looks for its module anew each time that it is asked for this. */
const asInteger = TypedParameter.LONGLONG;

/** The driver would send integers as floating-point numbers. */
const typed = (values: Value[]) =>
  values.map((value) => (typeof value === 'number' ? asInteger(value) : value));

// The driver's own promises write down a stack for every statement.
function execute(on: typeof pool | Connection, sql: string, values: Value[]): Promise<unknown> {
  return new Promise((resolve, reject) => {
    on.execute(sql, typed(values), (error: QueryError | null, result: unknown) =>
      error === null ? resolve(result) : reject(error),
    );
  });
}

/** Rows of a prepared statement. */
export const select = <Row>(sql: string, values: Value[], on?: Connection): Promise<Row[]> =>
  execute(on ?? pool, sql, values) as Promise<Row[]>;

/** Changes rows by a prepared statement. */
export const change = (on: Connection, sql: string, values: Value[]): Promise<ResultSetHeader> =>
  execute(on, sql, values) as Promise<ResultSetHeader>;

const connect = (): Promise<Connection> =>
  new Promise((resolve, reject) => {
    pool.getConnection((error, connection) => (error === null ? resolve(connection) : reject(error)));
  });

const say = (on: Connection, word: 'BEGIN' | 'COMMIT' | 'ROLLBACK'): Promise<void> =>
  new Promise((resolve, reject) => {
    on.query(word, (error: QueryError | null) => (error === null ? resolve() : reject(error)));
  });

/** Several statements as one; again when another transaction stood in the way. */
export async function transaction<T>(work: (on: Connection) => Promise<T>): Promise<T> {
  for (;;) {
    const on = await connect();
    try {
      await say(on, 'BEGIN');
      const result = await work(on);
      await say(on, 'COMMIT');
      return result;
    } catch (error) {
      await say(on, 'ROLLBACK');
      if ((error as { errno?: number }).errno !== DEADLOCK) throw error;
    } finally {
      on.release();
    }
  }
}
