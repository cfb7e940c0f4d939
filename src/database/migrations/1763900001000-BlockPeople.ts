import type { MigrationInterface, QueryRunner } from 'typeorm';
import { bigint, createTable, moment, primary } from './schema';

/** Creates the table of blocked users. */
export class BlockPeople1763900001000 implements MigrationInterface {
  readonly name = 'BlockPeople1763900001000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, 'user_blocks', {
      columns: [bigint('user_id', primary), bigint('blocked_id', primary), moment('blocked_at')],
      withoutRowid: true,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('user_blocks', true);
  }
}
