import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLE = 'users';
const COLUMN = 'profile_at';

/** Adds the issue time of the token from which a user's name and picture were taken. */
export class DateProfiles1763800012000 implements MigrationInterface {
  readonly name = 'DateProfiles1763800012000';

  async up(runner: QueryRunner): Promise<void> {
    const type = runner.dataSource.options.type === 'better-sqlite3' ? 'integer' : 'bigint';
    if (!(await runner.hasColumn(TABLE, COLUMN)))
      await runner.query(`ALTER TABLE ${TABLE} ADD COLUMN ${COLUMN} ${type} NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${TABLE} DROP COLUMN ${COLUMN}`);
  }
}
