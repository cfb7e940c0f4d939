import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Connection, createConnection } from 'mysql2/promise';

declare const DATABASE: 'sqlite' | 'mysql';

/** A database for one test file, on the engine of this jest project. */
export interface TestDatabase {
  /** Value of `DATABASE_URL`. */
  url: string;
  drop(): Promise<void>;
}

/** Creates an empty database. */
export async function createTestDatabase(): Promise<TestDatabase> {
  return onMysql() ? createMysqlDatabase() : createSqliteFile();
}

export const onMysql = (): boolean => DATABASE === 'mysql';

/** Returns the path of a SQLite database file. */
export const sqliteFileOf = ({ url }: TestDatabase): string => url.slice('sqlite:'.length);

function createSqliteFile(): TestDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-test-'));
  return {
    url: `sqlite:${join(folder, 'test.sqlite')}`,
    drop: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Creates a database on the run's MySQL server and runs statements in it. */
export async function createMysqlDatabase(statements = ''): Promise<TestDatabase> {
  const server = process.env.TEST_MYSQL_URL;
  if (server === undefined) throw new Error('TEST_MYSQL_URL is not set');
  const name = `callboard_test_${randomBytes(6).toString('hex')}`;
  const run = (sql: string) => onServer(server, (connection) => connection.query(sql));
  await run(`CREATE DATABASE ${name}; USE ${name}; ${statements}`);
  return {
    url: `${server.replace(/\/$/, '')}/${name}`,
    drop: async () => void (await run(`DROP DATABASE ${name}`)),
  };
}

/** Runs `work` with a connection to a server or to one of its databases. */
export async function onServer<T>(url: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const uri = url.replace(/^mariadb:/, 'mysql:');
  const connection = await createConnection({ uri, multipleStatements: true });
  try {
    return await work(connection);
  } finally {
    await connection.end();
  }
}
