import type { MigrationInterface, QueryRunner } from 'typeorm';
import { bigint, boolean, createTable, generatedId, int, moment, nullable, primary, varchar } from './schema';

/** Creates uploaded files, and the sum of their sizes per user. */
export class CreateAttachments1764310000000 implements MigrationInterface {
  readonly name = 'CreateAttachments1764310000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, 'attachments', {
      columns: [
        generatedId(),
        bigint('user_id'),
        varchar('status', 16),
        varchar('type', 8),
        varchar('name', 255),
        varchar('extension', 10),
        varchar('mime_type', 100, nullable),
        bigint('size'),
        bigint('stored_bytes'),
        int('width', nullable),
        int('height', nullable),
        int('duration', nullable),
        varchar('preview', 1500, nullable),
        varchar('storage_key', 32),
        boolean('has_thumbnail'),
        int('use_count', { default: 0 }),
        moment('sweep_at'),
        moment('created_at'),
      ],
      indices: [{ name: 'ix_attachments_sweep', columns: ['status', 'use_count', 'sweep_at'] }],
    });
    await createTable(runner, 'attachment_usage', {
      columns: [bigint('user_id', primary), bigint('bytes')],
      withoutRowid: true,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('attachment_usage', true);
    await runner.dropTable('attachments', true);
  }
}
