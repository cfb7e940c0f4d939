import type { MigrationInterface, QueryRunner } from 'typeorm';
import { bigint, createTable, moment, nullable, primary, varchar } from './schema';

export class CreateSessions1763600006000 implements MigrationInterface {
  readonly name = 'CreateSessions1763600006000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, 'user_sequence', { columns: [bigint('id', primary), bigint('last_user_id')] });
    await runner.query('REPLACE INTO user_sequence (id, last_user_id) VALUES (1, 0)');
    await createTable(runner, 'sessions', {
      columns: [varchar('id', 36, primary), bigint('user_id'), moment('expires_at'), moment('created_at')],
      indices: [
        { name: 'ix_sessions_user', columns: ['user_id'] },
        { name: 'ix_sessions_expiry', columns: ['expires_at'] },
      ],
    });
    await createTable(runner, 'refresh_tokens', {
      columns: [
        varchar('hash', 43, primary),
        varchar('session_id', 36),
        moment('used_at', nullable),
        moment('expires_at'),
      ],
      indices: [{ name: 'ix_refresh_tokens_expiry', columns: ['expires_at'] }],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('refresh_tokens', true);
    await runner.dropTable('sessions', true);
    await runner.dropTable('user_sequence', true);
  }
}
