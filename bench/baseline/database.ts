import {
  type Pool,
  type PoolConnection,
  type QueryError,
  type ResultSetHeader,
  TypedParameter,
} from 'mysql2';
import { isDeadlock, poolWith } from '../mysql-pool';

const single = poolWith();
// With autocommit off, transactions begin implicitly, which saves a round trip.
const transactional = poolWith('autocommit = 0');

export type Connection = PoolConnection;
export type Value = string | number | Date | null;

/** The library resolves its module again each time this property is read. */
const asInteger = TypedParameter.LONGLONG;

/** Types integers explicitly; the driver would send them as floating-point numbers. */
const typed = (values: Value[]) =>
  values.map((value) => (typeof value === 'number' ? asInteger(value) : value));

// Uses the callback API: the driver's own promises capture a stack trace for every statement.
function execute(on: Pool | Connection, sql: string, values: Value[]): Promise<unknown> {
  return new Promise((resolve, reject) => {
    on.execute(sql, typed(values), (error: QueryError | null, result: unknown) =>
      error === null ? resolve(result) : reject(error),
    );
  });
}

/** Returns the rows of a prepared statement. */
export const select = <Row>(sql: string, values: Value[], on?: Connection): Promise<Row[]> =>
  execute(on ?? single, sql, values) as Promise<Row[]>;

/** Changes rows with a prepared statement. Without a connection, the statement is a transaction of its own. */
export const change = (sql: string, values: Value[], on?: Connection): Promise<ResultSetHeader> =>
  execute(on ?? single, sql, values) as Promise<ResultSetHeader>;

const connect = (): Promise<Connection> =>
  new Promise((resolve, reject) => {
    transactional.getConnection((error, connection) =>
      error === null ? resolve(connection) : reject(error),
    );
  });

const say = (on: Connection, word: 'COMMIT' | 'ROLLBACK'): Promise<void> =>
  new Promise((resolve, reject) => {
    on.query(word, (error: QueryError | null) => (error === null ? resolve() : reject(error)));
  });

/** Runs a statement as a transaction of its own, and repeats it if it conflicts with another transaction. */
export async function changeAtOnce(sql: string, values: Value[]): Promise<ResultSetHeader> {
  for (;;) {
    try {
      return await change(sql, values);
    } catch (error) {
      if (!isDeadlock(error)) throw error;
    }
  }
}

/** Runs several statements in one transaction, and repeats it if it conflicts with another transaction. */
export async function transaction<T>(work: (on: Connection) => Promise<T>): Promise<T> {
  for (;;) {
    const on = await connect();
    try {
      const result = await work(on);
      await say(on, 'COMMIT');
      return result;
    } catch (error) {
      await say(on, 'ROLLBACK');
      if (!isDeadlock(error)) throw error;
    } finally {
      on.release();
    }
  }
}
