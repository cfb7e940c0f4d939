import type { MigrationInterface, QueryRunner } from 'typeorm';
import { bigint, createTable, generatedId, int, moment, nullable, primary, varchar } from './schema';

const TABLES = [
  'notification_received_keys',
  'notification_broadcasts',
  'notification_counts',
  'notifications',
  'notification_inboxes',
];

export class CreateNotifications1763600004000 implements MigrationInterface {
  readonly name = 'CreateNotifications1763600004000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, 'notification_inboxes', {
      columns: [bigint('user_id', primary), bigint('last_seq'), bigint('version'), bigint('broadcast_id')],
    });
    await createTable(runner, 'notifications', {
      columns: [
        generatedId(),
        bigint('user_id'),
        bigint('seq'),
        varchar('type', 50),
        varchar('title', 100),
        varchar('content', 2000),
        int('unread_epoch'),
        moment('created_at'),
      ],
      indices: [
        { name: 'uq_notifications_user_seq', columns: ['user_id', 'seq'], unique: true },
        { name: 'ix_notifications_user_type_seq', columns: ['user_id', 'type', 'seq'] },
      ],
    });
    await createTable(runner, 'notification_counts', {
      columns: [
        bigint('user_id', primary),
        int('level', primary),
        bigint('block', primary),
        varchar('type', 50, primary),
        int('total'),
        int('unread'),
        int('epoch'),
      ],
      withoutRowid: true,
    });
    await createTable(runner, 'notification_broadcasts', {
      columns: [
        bigint('id', primary),
        varchar('type', 50),
        varchar('title', 100),
        varchar('content', 2000),
        varchar('dedupe_key', 100, nullable),
        moment('created_at'),
      ],
    });
    await createTable(runner, 'notification_received_keys', {
      columns: [bigint('user_id', primary), varchar('dedupe_key', 100, primary)],
      withoutRowid: true,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.dropTable(table, true);
  }
}
