import type { MigrationInterface, QueryRunner } from 'typeorm';
import { bigint, boolean, createTable, generatedId, int, moment, nullable, primary, varchar } from './schema';

export class CreateCalls1763600002000 implements MigrationInterface {
  readonly name = 'CreateCalls1763600002000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, 'calls', {
      columns: [
        generatedId(),
        bigint('caller_id'),
        bigint('callee_id'),
        varchar('request_id', 64, nullable),
        varchar('media_type', 8),
        varchar('status', 16),
        varchar('end_reason', 50, nullable),
        bigint('ended_by', nullable),
        int('version'),
        varchar('channel_name', 63),
        bigint('caller_uid'),
        bigint('callee_uid'),
        varchar('answered_terminal_id', 64, nullable),
        moment('deadline_at', nullable),
        moment('created_at'),
        moment('ring_expires_at'),
        moment('accepted_at', nullable),
        moment('started_at', nullable),
        moment('ended_at', nullable),
      ],
      indices: [
        { name: 'uq_calls_caller_request', columns: ['caller_id', 'request_id'], unique: true },
        { name: 'ix_calls_deadline', columns: ['deadline_at'] },
      ],
    });
    await createTable(runner, 'call_seats', {
      columns: [bigint('user_id', primary), bigint('call_id')],
    });
    await createTable(runner, 'call_history', {
      columns: [
        bigint('user_id', primary),
        bigint('call_id', primary),
        bigint('peer_id'),
        varchar('direction', 8),
        varchar('media_type', 8),
        boolean('missed'),
      ],
      withoutRowid: true,
    });
    await createTable(runner, 'call_media_states', {
      columns: [
        bigint('call_id', primary),
        bigint('user_id', primary),
        varchar('terminal_id', 64, primary),
        varchar('stage', 32, nullable),
        varchar('network_quality', 20, nullable),
        moment('reported_at'),
      ],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['call_media_states', 'call_history', 'call_seats', 'calls']) {
      await runner.dropTable(table, true);
    }
  }
}
