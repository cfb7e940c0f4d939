import type { MigrationInterface, QueryRunner } from 'typeorm';
import { bigint, createTable, generatedId, int, moment, nullable, varchar } from './schema';

/** Creates API keys, and adds a separate token role to sessions. */
export class CreateApiKeys1764010000000 implements MigrationInterface {
  readonly name = 'CreateApiKeys1764010000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, 'api_keys', {
      columns: [
        generatedId(),
        varchar('name', 100),
        varchar('prefix', 8),
        varchar('hash', 43),
        varchar('scopes', 500),
        int('rate_per_minute'),
        moment('expires_at', nullable),
        moment('last_used_at', nullable),
        bigint('created_by'),
        moment('created_at'),
      ],
      indices: [{ name: 'uq_api_keys_hash', columns: ['hash'], unique: true }],
    });
    if (!(await runner.hasColumn('sessions', 'token_role')))
      await runner.query('ALTER TABLE sessions ADD COLUMN token_role varchar(16) NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sessions DROP COLUMN token_role');
    await runner.dropTable('api_keys', true);
  }
}
