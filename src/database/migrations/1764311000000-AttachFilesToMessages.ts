import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLE = 'messages';
const COLUMN = 'attachments';

/** Adds the attachments of messages. The column is null in existing rows, so no row is rewritten. */
export class AttachFilesToMessages1764311000000 implements MigrationInterface {
  readonly name = 'AttachFilesToMessages1764311000000';

  async up(runner: QueryRunner): Promise<void> {
    if (!(await runner.hasColumn(TABLE, COLUMN)))
      await runner.query(`ALTER TABLE ${TABLE} ADD COLUMN ${COLUMN} text NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn(TABLE, COLUMN))
      await runner.query(`ALTER TABLE ${TABLE} DROP COLUMN ${COLUMN}`);
  }
}
