import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLE = 'conversation_counts';
const COLUMNS = ['hidden integer', 'unread bigint'];

/** Adds the number of hidden conversations and of unread messages to the counts per user, and recomputes all counts. */
export class CountUnreadOfUsers1763700021000 implements MigrationInterface {
  readonly name = 'CountUnreadOfUsers1763700021000';

  async up(runner: QueryRunner): Promise<void> {
    const isSqlite = runner.dataSource.options.type === 'better-sqlite3';
    for (const column of COLUMNS) {
      const [name = '', type = ''] = column.split(' ');
      if (await runner.hasColumn(TABLE, name)) continue;
      await runner.query(
        `ALTER TABLE ${TABLE} ADD COLUMN ${name} ${isSqlite ? 'integer' : type} NOT NULL DEFAULT 0`,
      );
    }
    await runner.query(`DELETE FROM ${TABLE}`);
    await runner.query(
      `INSERT INTO ${TABLE} (user_id, type, total, hidden, unread)
       SELECT m.user_id, m.type, COUNT(*),
         SUM(CASE WHEN m.pulled = 0 AND m.hidden = 1 THEN 1 ELSE 0 END),
         SUM(CASE WHEN m.pulled = 0 AND m.muted = 0 THEN c.max_seq - m.read_seq - m.recalled_ahead ELSE 0 END)
       FROM conversation_members m JOIN conversations c ON c.id = m.conversation_id
       GROUP BY m.user_id, m.type`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const column of COLUMNS)
      await runner.query(`ALTER TABLE ${TABLE} DROP COLUMN ${column.split(' ')[0]}`);
  }
}
