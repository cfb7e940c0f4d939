import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';

declare const DATABASE: 'sqlite' | 'mysql';

/** An empty database of one test file's own, on the engine that this jest project is about. */
export interface TestDatabase {
  /** For `DATABASE_URL`. */
  url: string;
  drop(): Promise<void>;
}

export async function createTestDatabase(): Promise<TestDatabase> {
  return DATABASE === 'mysql' ? createMysqlDatabase() : createSqliteFile();
}

export const onMysql = (): boolean => DATABASE === 'mysql';

function createSqliteFile(): TestDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-test-'));
  return {
    url: `sqlite:${join(folder, 'test.sqlite')}`,
    drop: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function createMysqlDatabase(): Promise<TestDatabase> {
  const server = process.env.TEST_MYSQL_URL;
  if (server === undefined) throw new Error('TEST_MYSQL_URL is not set');
  const name = `callboard_test_${randomBytes(6).toString('hex')}`;
  const execute = async (sql: string): Promise<void> => {
    const connection = await createConnection(server.replace(/^mariadb:/, 'mysql:'));
    await connection.query(sql);
    await connection.end();
  };
  await execute(`CREATE DATABASE ${name}`);
  return { url: `${server.replace(/\/$/, '')}/${name}`, drop: () => execute(`DROP DATABASE ${name}`) };
}
