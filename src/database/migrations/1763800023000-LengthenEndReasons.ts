import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLE = 'calls';
const COLUMN = 'end_reason';

/** An administrator's reason for ending a call may be longer than those of its participants. */
export class LengthenEndReasons1763800023000 implements MigrationInterface {
  readonly name = 'LengthenEndReasons1763800023000';

  async up(runner: QueryRunner): Promise<void> {
    await setLength(runner, 64);
  }

  async down(runner: QueryRunner): Promise<void> {
    await setLength(runner, 50);
  }
}

/** SQLite knows the length by name only, but has no words for changing it: there, a new table takes the old one's place. */
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
