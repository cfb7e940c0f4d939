import type { MigrationInterface, QueryRunner } from 'typeorm';
import { bigint, createTable, primary } from './schema';

const TABLE = 'abandoned_conversations';

/** Records groups without members, including existing ones, so that a job can delete them. */
export class NoteAbandonedConversations1763700060000 implements MigrationInterface {
  readonly name = 'NoteAbandonedConversations1763700060000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, TABLE, {
      columns: [bigint('conversation_id', primary)],
      withoutRowid: true,
    });
    await runner.query(
      `INSERT INTO ${TABLE} (conversation_id) SELECT c.id FROM conversations c WHERE c.member_count = 0
       AND NOT EXISTS (SELECT 1 FROM ${TABLE} a WHERE a.conversation_id = c.id)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable(TABLE, true);
  }
}
