import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLE = 'conversation_members';

/**
 * Stores the number of recalled messages after each member's read position, so that unread counts need not query them.
 */
export class CountRecallsAhead1763700020000 implements MigrationInterface {
  readonly name = 'CountRecallsAhead1763700020000';

  async up(runner: QueryRunner): Promise<void> {
    if (!(await runner.hasColumn(TABLE, 'recalled_ahead')))
      await runner.query(`ALTER TABLE ${TABLE} ADD COLUMN recalled_ahead integer NOT NULL DEFAULT 0`);
    await runner.query(
      `UPDATE ${TABLE} SET recalled_ahead =
         (SELECT COUNT(*) FROM message_recalls r
          WHERE r.conversation_id = ${TABLE}.conversation_id AND r.seq > ${TABLE}.read_seq)
       WHERE conversation_id IN (SELECT id FROM conversations WHERE last_recalled_seq > 0)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${TABLE} DROP COLUMN recalled_ahead`);
  }
}
