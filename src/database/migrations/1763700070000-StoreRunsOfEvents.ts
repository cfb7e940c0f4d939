import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLE = 'events';
const COLUMNS = {
  run_length: { sqlite: 'integer', mysql: 'int', rest: 'NOT NULL DEFAULT 1' },
  line: { sqlite: 'integer', mysql: 'int', rest: 'NOT NULL DEFAULT 0' },
  number: { sqlite: 'integer', mysql: 'bigint', rest: 'NULL' },
};

/** Lets one row represent a run of consecutive events. */
export class StoreRunsOfEvents1763700070000 implements MigrationInterface {
  readonly name = 'StoreRunsOfEvents1763700070000';

  async up(runner: QueryRunner): Promise<void> {
    const database = runner.dataSource.options.type === 'better-sqlite3' ? 'sqlite' : 'mysql';
    for (const [name, column] of Object.entries(COLUMNS)) {
      if (!(await runner.hasColumn(TABLE, name)))
        await runner.query(`ALTER TABLE ${TABLE} ADD COLUMN ${name} ${column[database]} ${column.rest}`);
    }
  }

  /** Deletes runs. Clients that have not read them yet receive `resync`, as after the retention. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM ${TABLE} WHERE run_length > 1 OR line > 0 OR number IS NOT NULL`);
    for (const name of Object.keys(COLUMNS)) await runner.query(`ALTER TABLE ${TABLE} DROP COLUMN ${name}`);
  }
}
