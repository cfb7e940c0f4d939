import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';
import { hasIndex } from './schema';

const TABLE = 'sessions';
const COLUMN = 'api_key_id';
const INDEX = new TableIndex({ name: 'ix_sessions_key', columnNames: [COLUMN] });

/** Adds the API key whose `tokens:issue` created a session. Unknown for existing sessions. */
export class NameKeysOfSessions1764150000000 implements MigrationInterface {
  readonly name = 'NameKeysOfSessions1764150000000';

  /** May run again after an interruption: MySQL commits each statement by itself. */
  async up(runner: QueryRunner): Promise<void> {
    const isSqlite = runner.dataSource.options.type === 'better-sqlite3';
    if (!(await runner.hasColumn(TABLE, COLUMN)))
      await runner.query(`ALTER TABLE ${TABLE} ADD COLUMN ${COLUMN} ${isSqlite ? 'integer' : 'bigint'} NULL`);
    if (!(await hasIndex(runner, TABLE, INDEX))) await runner.createIndex(TABLE, INDEX);
  }

  async down(runner: QueryRunner): Promise<void> {
    if (await hasIndex(runner, TABLE, INDEX)) await runner.dropIndex(TABLE, INDEX);
    if (await runner.hasColumn(TABLE, COLUMN))
      await runner.query(`ALTER TABLE ${TABLE} DROP COLUMN ${COLUMN}`);
  }
}
