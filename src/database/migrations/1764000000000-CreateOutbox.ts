import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTable, generatedId, mediumtext, moment, nullable, varchar } from './schema';

/** Creates the transactional outbox of domain events. */
export class CreateOutbox1764000000000 implements MigrationInterface {
  readonly name = 'CreateOutbox1764000000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, 'outbox', {
      columns: [
        generatedId(),
        varchar('event_id', 40),
        varchar('type', 50),
        varchar('subject', 100),
        mediumtext('payload'),
        moment('created_at'),
        moment('due_at'),
        varchar('claim', 36, nullable),
      ],
      indices: [{ name: 'ix_outbox_due', columns: ['due_at'] }],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('outbox', true);
  }
}
