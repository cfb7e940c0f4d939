import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLE = 'conversation_members';
const COLUMN = 'notices_read';
/** Conversations per statement. */
const CHUNK = 200;

/** Stores how many notices are among the messages that a member has read, so that an unread count reads none of them. */
export class CountReadNotices1764490000000 implements MigrationInterface {
  readonly name = 'CountReadNotices1764490000000';

  async up(runner: QueryRunner): Promise<void> {
    const integer = runner.dataSource.options.type === 'better-sqlite3' ? 'integer' : 'bigint';
    // A constant default: the table is not rewritten.
    if (!(await runner.hasColumn(TABLE, COLUMN)))
      await runner.query(`ALTER TABLE ${TABLE} ADD COLUMN ${COLUMN} ${integer} NOT NULL DEFAULT 0`);
    for (let last = 0; ;) {
      const conversations: { id: number | string }[] = await runner.query(
        `SELECT id FROM conversations WHERE id > ? AND notice_count > 0 ORDER BY id LIMIT ${CHUNK}`,
        [last],
      );
      if (conversations.length === 0) return;
      const ids = conversations.map(({ id }) => Number(id));
      await runner.query(
        `UPDATE ${TABLE} SET ${COLUMN} = (SELECT COUNT(*) FROM message_notices n
           WHERE n.conversation_id = ${TABLE}.conversation_id AND n.seq <= ${TABLE}.read_seq)
         WHERE conversation_id IN (${ids.join()})`,
      );
      last = ids.at(-1) ?? 0;
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn(TABLE, COLUMN))
      await runner.query(`ALTER TABLE ${TABLE} DROP COLUMN ${COLUMN}`);
  }
}
