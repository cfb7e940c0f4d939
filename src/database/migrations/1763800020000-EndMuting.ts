import type { MigrationInterface, QueryRunner } from 'typeorm';
import { bigint, createTable, moment, primary } from './schema';

const MEMBERS = 'conversation_members';
const COLUMN = 'mute_until';
const ENDS = 'mute_ends';

/** Adds an end time to mutes, and a table of mutes with an end, which the job that ends them reads. */
export class EndMuting1763800020000 implements MigrationInterface {
  readonly name = 'EndMuting1763800020000';

  async up(runner: QueryRunner): Promise<void> {
    if (!(await runner.hasColumn(MEMBERS, COLUMN)))
      await runner.query(`ALTER TABLE ${MEMBERS} ADD COLUMN ${COLUMN} datetime(3) NULL`);
    await createTable(runner, ENDS, {
      columns: [bigint('user_id', primary), bigint('conversation_id', primary), moment('ends_at')],
      indices: [{ name: 'ix_mute_ends_ends_at', columns: ['ends_at'] }],
      withoutRowid: true,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable(ENDS, true);
    if (await runner.hasColumn(MEMBERS, COLUMN))
      await runner.query(`ALTER TABLE ${MEMBERS} DROP COLUMN ${COLUMN}`);
  }
}
