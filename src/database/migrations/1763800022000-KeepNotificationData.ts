import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['notifications', 'notification_broadcasts'];
const COLUMN = 'data';

/** Adds machine-readable data to notifications. Existing ones have none. */
export class KeepNotificationData1763800022000 implements MigrationInterface {
  readonly name = 'KeepNotificationData1763800022000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES)
      if (!(await runner.hasColumn(table, COLUMN)))
        await runner.query(`ALTER TABLE ${table} ADD COLUMN ${COLUMN} text NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES)
      if (await runner.hasColumn(table, COLUMN))
        await runner.query(`ALTER TABLE ${table} DROP COLUMN ${COLUMN}`);
  }
}
