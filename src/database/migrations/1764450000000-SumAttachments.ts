import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';
import { hasIndex } from './schema';

const TABLE = 'attachments';
const INDEX = new TableIndex({
  name: 'ix_attachments_sums',
  columnNames: ['type', 'created_at', 'stored_bytes'],
});

/** Adds the index that has everything that the sums of the overview read. */
export class SumAttachments1764450000000 implements MigrationInterface {
  readonly name = 'SumAttachments1764450000000';

  /** May run again after an interruption: MySQL commits each statement by itself. */
  async up(runner: QueryRunner): Promise<void> {
    if (!(await hasIndex(runner, TABLE, INDEX))) await runner.createIndex(TABLE, INDEX);
  }

  async down(runner: QueryRunner): Promise<void> {
    if (await hasIndex(runner, TABLE, INDEX)) await runner.dropIndex(TABLE, INDEX);
  }
}
