import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLE = 'calls';
const COLUMN = 'end_reason';

/** Allows longer end reasons: an administrator's may be longer than a participant's. */
export class LengthenEndReasons1763800023000 implements MigrationInterface {
  readonly name = 'LengthenEndReasons1763800023000';

  async up(runner: QueryRunner): Promise<void> {
    await setLength(runner, 64);
  }

  async down(runner: QueryRunner): Promise<void> {
    await setLength(runner, 50);
  }
}

/** SQLite stores the length without enforcing it, but cannot change it: TypeORM replaces the table there. */
async function setLength(runner: QueryRunner, length: number): Promise<void> {
  if (runner.dataSource.options.type !== 'better-sqlite3') {
    await runner.query(`ALTER TABLE ${TABLE} MODIFY ${COLUMN} varchar(${length}) NULL`);
    return;
  }
  const column = (await runner.getTable(TABLE))?.findColumnByName(COLUMN);
  if (column === undefined || column.length === String(length)) return;
  const longer = column.clone();
  longer.length = String(length);
  await runner.changeColumn(TABLE, column, longer);
}
