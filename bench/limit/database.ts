import {
  createPool,
  type PoolConnection,
  type ResultSetHeader,
  type RowDataPacket,
  TypedParameter,
} from 'mysql2/promise';

/** As many as the service has. */
const POOL_SIZE = 10;
const DEADLOCK = 1213;

const { DATABASE_URL = '' } = process.env;

const pool = createPool({
  uri: DATABASE_URL.replace(/^mariadb:/, 'mysql:'),
  connectionLimit: POOL_SIZE,
  charset: 'utf8mb4',
  timezone: 'Z',
  supportBigNumbers: true,
});
pool.pool.on('connection', (connection) => {
  connection.query('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED');
});

export type Value = string | number | Date | null;

/** The driver would send integers as floating-point numbers. */
const typed = (values: Value[]) =>
  values.map((value) => (typeof value === 'number' ? TypedParameter.LONGLONG(value) : value));

/** Rows of a prepared statement. */
export async function select<Row>(sql: string, values: Value[], on?: PoolConnection): Promise<Row[]> {
  const [rows] = await (on ?? pool).execute<RowDataPacket[]>(sql, typed(values));
  return rows as Row[];
}

/** Changes rows by a prepared statement. */
export async function change(on: PoolConnection, sql: string, values: Value[]): Promise<ResultSetHeader> {
  const [result] = await on.execute<ResultSetHeader>(sql, typed(values));
  return result;
}

/** Several statements as one; again when another transaction stood in the way. */
export async function transaction<T>(work: (connection: PoolConnection) => Promise<T>): Promise<T> {
  for (;;) {
    const connection = await pool.getConnection();
    try {
      await connection.query('BEGIN');
      const result = await work(connection);
      await connection.query('COMMIT');
      return result;
    } catch (error) {
      await connection.query('ROLLBACK');
      if ((error as { errno?: number }).errno !== DEADLOCK) throw error;
    } finally {
      connection.release();
    }
  }
}

/** `?, ?, ?` */
export const marks = (count: number): string => Array.from({ length: count }, () => '?').join(', ');
