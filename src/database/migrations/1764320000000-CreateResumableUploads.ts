import type { MigrationInterface, QueryRunner } from 'typeorm';
import { bigint, boolean, createTable, moment, nullable, primary, varchar } from './schema';

/** Creates uploads that clients continue after an interruption. */
export class CreateResumableUploads1764320000000 implements MigrationInterface {
  readonly name = 'CreateResumableUploads1764320000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, 'resumable_uploads', {
      columns: [
        varchar('id', 32, primary),
        bigint('user_id'),
        bigint('size'),
        bigint('received'),
        varchar('metadata', 2000),
        bigint('attachment_id', nullable),
        varchar('lock_token', 32, nullable),
        moment('locked_until', nullable),
        boolean('is_lock_wanted'),
        moment('expires_at'),
      ],
      indices: [
        { name: 'ix_resumable_uploads_user_id', columns: ['user_id'] },
        { name: 'ix_resumable_uploads_expires_at', columns: ['expires_at'] },
      ],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('resumable_uploads', true);
  }
}
