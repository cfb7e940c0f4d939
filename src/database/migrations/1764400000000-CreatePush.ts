import type { MigrationInterface, QueryRunner } from 'typeorm';
import { bigint, boolean, createTable, generatedId, int, moment, nullable, varchar } from './schema';

/** Creates push targets, the queue of pushes, and the progress of pushes to large audiences. */
export class CreatePush1764400000000 implements MigrationInterface {
  readonly name = 'CreatePush1764400000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, 'push_targets', {
      columns: [
        generatedId(),
        bigint('user_id'),
        varchar('kind', 10),
        varchar('terminal_id', 64),
        varchar('session_id', 36, nullable),
        varchar('token', 1000),
        varchar('token_hash', 43),
        varchar('p256dh', 100, nullable),
        varchar('auth', 30, nullable),
        varchar('app', 100, nullable),
        varchar('provider', 32, nullable),
        boolean('sandbox'),
        varchar('state', 8),
        varchar('reason', 100, nullable),
        int('rejections', { default: 0 }),
        moment('retry_at', nullable),
        moment('busy_until', nullable),
        varchar('busy_claim', 36, nullable),
        bigint('received', { default: 0 }),
        moment('received_at', nullable),
        moment('registered_at'),
        moment('seen_at'),
        moment('created_at'),
      ],
      indices: [
        { name: 'uq_push_targets_terminal', columns: ['user_id', 'terminal_id', 'kind'], unique: true },
        { name: 'uq_push_targets_token', columns: ['token_hash'], unique: true },
        { name: 'ix_push_targets_seen', columns: ['seen_at'] },
      ],
    });
    await createTable(runner, 'push_jobs', {
      columns: [
        generatedId(),
        bigint('target_id'),
        varchar('topic', 64),
        bigint('user_id'),
        varchar('type', 12),
        int('lane'),
        int('rev'),
        int('sent_rev', { default: 0 }),
        int('received_rev', { default: 0 }),
        boolean('shown', { default: 0 }),
        bigint('told_id', { default: 0 }),
        int('pushes', { default: 0 }),
        int('attempts', { default: 0 }),
        moment('due_at', nullable),
        moment('next_at', nullable),
        moment('sent_at', nullable),
        moment('caused_at'),
        moment('expires_at'),
        varchar('claim', 36, nullable),
      ],
      indices: [
        { name: 'uq_push_jobs_topic', columns: ['target_id', 'topic'], unique: true },
        { name: 'ix_push_jobs_due', columns: ['lane', 'due_at'] },
        { name: 'ix_push_jobs_topic', columns: ['topic', 'user_id'] },
        { name: 'ix_push_jobs_expiry', columns: ['expires_at'] },
      ],
    });
    await createTable(runner, 'push_fanouts', {
      columns: [
        generatedId(),
        varchar('event_id', 40),
        varchar('type', 12),
        bigint('object_id', nullable),
        bigint('sender_id', nullable),
        bigint('after_id'),
        moment('created_at'),
      ],
      indices: [{ name: 'uq_push_fanouts_event', columns: ['event_id'], unique: true }],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['push_fanouts', 'push_jobs', 'push_targets']) await runner.dropTable(table, true);
    await runner.query("DELETE FROM domain_event_positions WHERE name = 'push'");
  }
}
