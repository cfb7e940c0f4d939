import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';

const TABLE = 'sessions';
const COLUMNS = {
  last_used_at: 'datetime(3) NULL',
  ip: 'varchar(45) NULL',
  user_agent: 'varchar(255) NULL',
};
const BY_USE = { name: 'ix_sessions_user_use', columnNames: ['user_id', 'last_used_at'] };
const BY_USER = { name: 'ix_sessions_user', columnNames: ['user_id'] };

/** Adds the time, IP address and user agent of the last use of a session for its owner, and an index by that time. */
export class ShowSessions1763800011000 implements MigrationInterface {
  readonly name = 'ShowSessions1763800011000';

  async up(runner: QueryRunner): Promise<void> {
    for (const [column, type] of Object.entries(COLUMNS))
      if (!(await runner.hasColumn(TABLE, column)))
        await runner.query(`ALTER TABLE ${TABLE} ADD COLUMN ${column} ${type}`);
    await runner.query(`UPDATE ${TABLE} SET last_used_at = created_at WHERE last_used_at IS NULL`);
    await exchange(runner, BY_USER, BY_USE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await exchange(runner, BY_USE, BY_USER);
    for (const column of Object.keys(COLUMNS))
      await runner.query(`ALTER TABLE ${TABLE} DROP COLUMN ${column}`);
  }
}

/** Replaces one index by another. Works if both, one or none of them exist. */
async function exchange(runner: QueryRunner, before: typeof BY_USER, after: typeof BY_USER): Promise<void> {
  const table = await runner.getTable(TABLE);
  const has = ({ name }: typeof BY_USER) => table?.indices.some((index) => index.name === name) === true;
  if (!has(after)) await runner.createIndex(TABLE, new TableIndex(after));
  if (has(before)) await runner.dropIndex(TABLE, before.name);
}
