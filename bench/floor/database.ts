import { type Pool, type PoolConnection, type QueryError, type ResultSetHeader } from 'mysql2';
import { isDeadlock, poolWith } from '../mysql-pool';
import { send, type Value } from './pipeline';

const single = poolWith();
// With autocommit off, transactions begin implicitly, which saves a round trip.
const transactional = poolWith('autocommit = 0');

const connectionOf = (pool: Pool): Promise<PoolConnection> =>
  new Promise((resolve, reject) => {
    pool.getConnection((error, connection) => (error === null ? resolve(connection) : reject(error)));
  });

/** Returns the rows of a statement outside transactions. */
export async function select<Row>(sql: string, values: Value[]): Promise<Row[]> {
  const connection = await connectionOf(single);
  try {
    return (await send(connection, sql, values)) as Row[];
  } finally {
    connection.release();
  }
}

/** Statements of a running transaction, sent without waiting for each other. */
export class Transaction {
  readonly #sent: Promise<unknown>[] = [];

  constructor(private readonly connection: PoolConnection) {}

  select<Row>(sql: string, values: Value[]): Promise<Row[]> {
    return this.#send(sql, values) as Promise<Row[]>;
  }

  change(sql: string, values: Value[]): Promise<ResultSetHeader> {
    return this.#send(sql, values) as Promise<ResultSetHeader>;
  }

  /** Waits for all statements. @throws the first error */
  async settled(): Promise<void> {
    const results = await Promise.allSettled(this.#sent);
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  #send(sql: string, values: Value[]): Promise<unknown> {
    const sent = send(this.connection, sql, values);
    sent.catch(() => undefined);
    this.#sent.push(sent);
    return sent;
  }
}

const say = (connection: PoolConnection, word: 'COMMIT' | 'ROLLBACK'): Promise<void> =>
  new Promise((resolve, reject) => {
    connection.query(word, (error: QueryError | null) => (error === null ? resolve() : reject(error)));
  });

/**
 * Runs `work` in a transaction, and repeats it after a deadlock. COMMIT is sent only after all statements have
 * succeeded: after a failed one, the server would execute the statements behind it all the same.
 */
export async function transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
  for (;;) {
    const connection = await connectionOf(transactional);
    const tx = new Transaction(connection);
    try {
      const result = await work(tx);
      await tx.settled();
      await say(connection, 'COMMIT');
      return result;
    } catch (error) {
      await tx.settled().catch(() => undefined);
      await say(connection, 'ROLLBACK');
      if (!isDeadlock(error)) throw error;
    } finally {
      connection.release();
    }
  }
}

/** Returns `count` copies of a tuple, separated by commas. */
export const times = (count: number, tuple: string): string =>
  Array.from({ length: count }, () => tuple).join(', ');

export const marks = (list: { length: number }): string => times(list.length, '?');
