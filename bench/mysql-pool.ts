import { createPool, type Pool } from 'mysql2';

/** Connections of each pool of the hand-written servers. The service has 15, for at most 10 transactions. */
const POOL_SIZE = 10;
const DEADLOCK = 1213;

const { DATABASE_URL = '' } = process.env;

/** Creates a pool of `DATABASE_URL`. @param settings further settings of every session, as in `SET SESSION …` */
export function poolWith(...settings: string[]): Pool {
  const pool = createPool({
    uri: DATABASE_URL.replace(/^mariadb:/, 'mysql:'),
    connectionLimit: POOL_SIZE,
    charset: 'utf8mb4',
    timezone: 'Z',
    supportBigNumbers: true,
  });
  pool.on('connection', (connection) => {
    for (const setting of ['TRANSACTION ISOLATION LEVEL READ COMMITTED', ...settings])
      connection.query(`SET SESSION ${setting}`);
  });
  return pool;
}

export const isDeadlock = (error: unknown): boolean => (error as { errno?: number }).errno === DEADLOCK;
