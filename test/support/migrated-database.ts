import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Connection, RowDataPacket } from 'mysql2/promise';
import { loadConfig } from '../../src/config/config';
import { createDataSource } from '../../src/database/data-source';
import { migrate } from '../../src/database/migrate';
import { createMysqlDatabase, createTestDatabase, onMysql, onServer, type TestDatabase } from './database';

/**
 * A database for a service that would begin by migrating it. On MySQL that takes long, so its tables are there: the
 * first of a run that needs them keeps in a file (TEST_MYSQL_SCHEMA) what the migrations made.
 */
export async function createMigratedDatabase(): Promise<TestDatabase> {
  const file = process.env.TEST_MYSQL_SCHEMA;
  if (!onMysql() || file === undefined) return createTestDatabase();
  if (!existsSync(file)) {
    // Two workers may both do it; the file appears whole.
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, await schemaOfTheMigrations());
    renameSync(draft, file);
  }
  return createMysqlDatabase(readFileSync(file, 'utf8'));
}

async function schemaOfTheMigrations(): Promise<string> {
  const database = await createMysqlDatabase();
  const config = loadConfig({ DATABASE_URL: database.url }).database;
  const dataSource = await createDataSource(config).initialize();
  await migrate(dataSource, config);
  await dataSource.destroy();
  const schema = await onServer(database.url, dump);
  await database.drop();
  return schema;
}

/** The statements that make the tables of a database, and the few rows that migrations put there. */
async function dump(connection: Connection): Promise<string> {
  const select = async (sql: string, table?: unknown): Promise<unknown[][]> => {
    const [rows] = await connection.query<RowDataPacket[][]>({ sql, values: [table], rowsAsArray: true });
    return rows;
  };
  const statements: string[] = [];
  for (const [table] of await select('SHOW TABLES')) {
    for (const [, create] of await select('SHOW CREATE TABLE ??', table)) statements.push(String(create));
    const rows = await select('SELECT * FROM ??', table);
    if (rows.length > 0) statements.push(connection.format('INSERT INTO ?? VALUES ?', [table, rows]));
  }
  return statements.join(';\n');
}
