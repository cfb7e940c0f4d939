import type { MigrationInterface, QueryRunner } from 'typeorm';
import { bigint, createTable, int, moment, primary, varchar } from './schema';

const EMOJI_LENGTH = 16;

interface NewColumn {
  table: string;
  column: string;
  type: (bigint: string) => string;
}

const COUNTER = (bigint: string): string => `${bigint} NOT NULL DEFAULT 0`;
const COLUMNS: NewColumn[] = [
  { table: 'messages', column: 'has_reactions', type: () => 'boolean NOT NULL DEFAULT 0' },
  { table: 'messages', column: 'notice', type: () => 'text NULL' },
  { table: 'conversations', column: 'notice_count', type: COUNTER },
  { table: 'conversations', column: 'last_notice_seq', type: COUNTER },
  { table: 'conversation_members', column: 'last_deleted_seq', type: COUNTER },
  { table: 'conversation_members', column: 'cleared_seq', type: COUNTER },
  { table: 'conversation_members', column: 'cleared_at', type: () => 'datetime(3) NULL' },
];

const TABLES = ['message_deletions', 'message_notices', 'message_reactions', 'message_reaction_counts'];

/** Adds reactions, deleting and clearing for one user, and notices. Constant defaults: no table is rewritten. */
export class MarkMessages1763920000000 implements MigrationInterface {
  readonly name = 'MarkMessages1763920000000';

  async up(runner: QueryRunner): Promise<void> {
    const integer = runner.dataSource.options.type === 'better-sqlite3' ? 'integer' : 'bigint';
    for (const { table, column, type } of COLUMNS)
      if (!(await runner.hasColumn(table, column)))
        await runner.query(`ALTER TABLE ${table} ADD COLUMN ${column} ${type(integer)}`);
    await createTable(runner, 'message_deletions', {
      columns: [bigint('conversation_id', primary), bigint('user_id', primary), bigint('seq', primary)],
      withoutRowid: true,
    });
    await createTable(runner, 'message_notices', {
      columns: [bigint('conversation_id', primary), bigint('seq', primary), bigint('n')],
      withoutRowid: true,
    });
    await createTable(runner, 'message_reactions', {
      columns: [
        bigint('conversation_id', primary),
        bigint('seq', primary),
        varchar('emoji_key', EMOJI_LENGTH, primary),
        bigint('user_id', primary),
        moment('created_at'),
      ],
      indices: [{ name: 'ix_message_reactions_user', columns: ['conversation_id', 'user_id', 'seq'] }],
      withoutRowid: true,
    });
    await createTable(runner, 'message_reaction_counts', {
      columns: [
        bigint('conversation_id', primary),
        bigint('seq', primary),
        varchar('emoji_key', EMOJI_LENGTH, primary),
        varchar('emoji', EMOJI_LENGTH),
        int('count'),
        int('n'),
      ],
      withoutRowid: true,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.dropTable(table, true);
    for (const { table, column } of COLUMNS)
      if (await runner.hasColumn(table, column))
        await runner.query(`ALTER TABLE ${table} DROP COLUMN ${column}`);
  }
}
