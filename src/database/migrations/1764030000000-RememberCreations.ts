import type { MigrationInterface, QueryRunner } from 'typeorm';
import { bigint, createTable, moment, primary, varchar } from './schema';

/** Creates the records of requests with an `Idempotency-Key`. */
export class RememberCreations1764030000000 implements MigrationInterface {
  readonly name = 'RememberCreations1764030000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, 'creation_keys', {
      columns: [
        varchar('owner', 64, primary),
        varchar('idempotency_key', 64, primary),
        varchar('route', 128, primary),
        varchar('body_hash', 43),
        bigint('object_id'),
        moment('created_at'),
      ],
      indices: [{ name: 'ix_creation_keys_created', columns: ['created_at'] }],
      withoutRowid: true,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('creation_keys', true);
  }
}
