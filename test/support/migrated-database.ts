import { copyFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Connection, RowDataPacket } from 'mysql2/promise';
import { loadConfig } from '../../src/config/config';
import { createDataSource } from '../../src/database/data-source';
import { migrate } from '../../src/database/migrate';
import {
  createMysqlDatabase,
  createTestDatabase,
  onMysql,
  onServer,
  sqliteFileOf,
  type TestDatabase,
} from './database';

/**
 * Creates a migrated database. The migrations run once per test run; every other database is a copy of the template in
 * `TEST_TEMPLATES` (a SQLite file, or the statements that create the MySQL tables).
 */
export async function createMigratedDatabase(): Promise<TestDatabase> {
  const folder = process.env.TEST_TEMPLATES;
  if (folder === undefined) return createTestDatabase();
  if (onMysql()) {
    const template = await templateIn(folder, 'schema.sql', writeMysqlTemplate);
    return createMysqlDatabase(readFileSync(template, 'utf8'));
  }
  const template = await templateIn(folder, 'template.sqlite', writeSqliteTemplate);
  const database = await createTestDatabase();
  copyFileSync(template, sqliteFileOf(database));
  return database;
}

/**
 * Returns the path of a template file. The first worker that needs it writes it to a temporary file; the rename makes
 * it appear atomically to the others.
 */
async function templateIn(
  folder: string,
  name: string,
  write: (file: string) => Promise<void>,
): Promise<string> {
  const template = join(folder, name);
  if (existsSync(template)) return template;
  const draft = `${template}.${process.pid}`;
  await write(draft);
  renameSync(draft, template);
  return template;
}

async function writeMysqlTemplate(file: string): Promise<void> {
  const database = await createMysqlDatabase();
  await migrateDatabase(database);
  writeFileSync(file, await onServer(database.url, dump));
  await database.drop();
}

async function writeSqliteTemplate(file: string): Promise<void> {
  const database = await createTestDatabase();
  await migrateDatabase(database);
  copyFileSync(sqliteFileOf(database), file);
  await database.drop();
}

/** Runs all migrations. Closing the last SQLite connection writes the WAL back into the one file that is copied. */
async function migrateDatabase({ url }: TestDatabase): Promise<void> {
  const config = loadConfig({ DATABASE_URL: url }).database;
  const dataSource = await createDataSource(config).initialize();
  await migrate(dataSource, config);
  await dataSource.destroy();
}

/** Returns the statements that create the tables of a database and insert the rows of migrations. */
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
