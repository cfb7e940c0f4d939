import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  bigint,
  boolean,
  createTable,
  generatedId,
  int,
  moment,
  nullable,
  primary,
  text,
  varchar,
} from './schema';

const TABLES = [
  'first_read_gaps',
  'first_reads',
  'read_intervals',
  'message_recalls',
  'message_ids',
  'messages',
  'conversation_counts',
  'conversation_members',
  'conversations',
];

export class CreateConversations1763600005000 implements MigrationInterface {
  readonly name = 'CreateConversations1763600005000';

  async up(runner: QueryRunner): Promise<void> {
    await createConversations(runner);
    await createMessages(runner);
    await createReads(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.dropTable(table, true);
  }
}

async function createConversations(runner: QueryRunner): Promise<void> {
  await createTable(runner, 'conversations', {
    columns: [
      generatedId(),
      varchar('type', 8),
      varchar('single_key', 40, nullable),
      varchar('name', 100),
      varchar('avatar', 500, nullable),
      int('member_count'),
      bigint('max_seq'),
      bigint('last_recalled_seq'),
      bigint('first_read_seq'),
      bigint('first_gap_seq'),
      boolean('pulled'),
      moment('created_at'),
    ],
    indices: [{ name: 'uq_conversations_single_key', columns: ['single_key'], unique: true }],
  });
  const listed = ['pinned', 'sort_at', 'conversation_id'];
  await createTable(runner, 'conversation_members', {
    columns: [
      bigint('conversation_id', primary),
      bigint('user_id', primary),
      varchar('type', 8),
      varchar('role', 8),
      bigint('join_seq'),
      moment('joined_at'),
      bigint('read_seq'),
      boolean('pinned'),
      boolean('muted'),
      boolean('hidden'),
      bigint('hidden_seq'),
      boolean('pulled'),
      moment('sort_at'),
      bigint('hears_after'),
    ],
    indices: [
      { name: 'ix_conversation_members_list', columns: ['user_id', 'pulled', 'hidden', ...listed] },
      {
        name: 'ix_conversation_members_list_by_type',
        columns: ['user_id', 'pulled', 'hidden', 'type', ...listed],
      },
      { name: 'ix_conversation_members_read', columns: ['conversation_id', 'read_seq'] },
      {
        name: 'ix_conversation_members_join',
        columns: ['conversation_id', 'join_seq', 'joined_at', 'user_id'],
      },
    ],
    withoutRowid: true,
  });
  await createTable(runner, 'conversation_counts', {
    columns: [bigint('user_id', primary), varchar('type', 8, primary), int('total')],
    withoutRowid: true,
  });
}

async function createMessages(runner: QueryRunner): Promise<void> {
  await createTable(runner, 'messages', {
    columns: [
      bigint('conversation_id', primary),
      bigint('seq', primary),
      bigint('id'),
      bigint('sender_id'),
      varchar('type', 16),
      text('content'),
      text('extra', nullable),
      moment('created_at'),
      moment('recalled_at', nullable),
      varchar('client_msg_id', 64, nullable),
      varchar('content_hash', 43, nullable),
    ],
    indices: [
      {
        name: 'uq_messages_client_msg_id',
        columns: ['conversation_id', 'sender_id', 'client_msg_id'],
        unique: true,
      },
    ],
    withoutRowid: true,
  });
  await createTable(runner, 'message_ids', {
    columns: [generatedId(), bigint('conversation_id'), bigint('seq')],
  });
  await createTable(runner, 'message_recalls', {
    columns: [bigint('conversation_id', primary), bigint('seq', primary)],
    withoutRowid: true,
  });
}

async function createReads(runner: QueryRunner): Promise<void> {
  await createTable(runner, 'read_intervals', {
    columns: [
      bigint('conversation_id', primary),
      bigint('user_id', primary),
      bigint('to_seq', primary),
      bigint('from_seq'),
      moment('read_at'),
    ],
    withoutRowid: true,
  });
  await createTable(runner, 'first_reads', {
    columns: [
      bigint('conversation_id', primary),
      bigint('to_seq', primary),
      bigint('from_seq'),
      moment('read_at'),
    ],
    withoutRowid: true,
  });
  await createTable(runner, 'first_read_gaps', {
    columns: [bigint('conversation_id', primary), bigint('to_seq', primary), bigint('from_seq')],
    withoutRowid: true,
  });
}
