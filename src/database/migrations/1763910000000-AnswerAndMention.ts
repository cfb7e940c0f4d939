import type { MigrationInterface, QueryRunner } from 'typeorm';
import { bigint, createTable, primary } from './schema';

const MENTIONS = 'message_mentions';

/** All columns have constant defaults, so that no database rewrites the table. */
const COLUMNS = [
  { table: 'messages', name: 'reply_seq', type: 'bigint', rest: 'NULL' },
  { table: 'messages', name: 'mentions', type: 'text', rest: 'NULL' },
  { table: 'messages', name: 'is_forwarded', type: 'boolean', rest: 'NOT NULL DEFAULT 0' },
  { table: 'messages', name: 'edited_at', type: 'datetime(3)', rest: 'NULL' },
  { table: 'conversations', name: 'last_mention_all_seq', type: 'bigint', rest: 'NOT NULL DEFAULT 0' },
  { table: 'conversation_members', name: 'last_mention_seq', type: 'bigint', rest: 'NOT NULL DEFAULT 0' },
] as const;

/** Adds replies, mentions, forwarding and editing of messages. */
export class AnswerAndMention1763910000000 implements MigrationInterface {
  readonly name = 'AnswerAndMention1763910000000';

  async up(runner: QueryRunner): Promise<void> {
    const isSqlite = runner.dataSource.options.type === 'better-sqlite3';
    for (const { table, name, type, rest } of COLUMNS) {
      const native = isSqlite && type === 'bigint' ? 'integer' : type;
      if (!(await runner.hasColumn(table, name)))
        await runner.query(`ALTER TABLE ${table} ADD COLUMN ${name} ${native} ${rest}`);
    }
    await createTable(runner, MENTIONS, {
      columns: [bigint('conversation_id', primary), bigint('user_id', primary), bigint('seq', primary)],
      withoutRowid: true,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable(MENTIONS, true);
    for (const { table, name } of COLUMNS)
      if (await runner.hasColumn(table, name)) await runner.query(`ALTER TABLE ${table} DROP COLUMN ${name}`);
  }
}
