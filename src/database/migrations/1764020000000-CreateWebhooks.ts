import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  bigint,
  boolean,
  createTable,
  generatedId,
  int,
  mediumtext,
  moment,
  nullable,
  text,
  varchar,
} from './schema';

/** Creates webhook endpoints, their events and deliveries. */
export class CreateWebhooks1764020000000 implements MigrationInterface {
  readonly name = 'CreateWebhooks1764020000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, 'webhook_endpoints', {
      columns: [
        generatedId(),
        int('slot', nullable),
        varchar('url', 1000),
        text('event_types'),
        varchar('description', 200, nullable),
        boolean('include_content'),
        int('status'),
        varchar('disabled_reason', 10, nullable),
        varchar('version', 10),
        varchar('salt', 43),
        varchar('previous_salt', 43, nullable),
        moment('previous_until', nullable),
        bigint('failed_attempts'),
        moment('silent_since', nullable),
        moment('last_success_at', nullable),
        moment('last_failure_at', nullable),
        moment('created_at'),
        moment('deleted_at', nullable),
      ],
      indices: [{ name: 'uq_webhook_endpoints_slot', columns: ['slot'], unique: true }],
    });
    await createTable(runner, 'webhook_events', {
      columns: [generatedId(), mediumtext('body'), moment('created_at')],
    });
    await createTable(runner, 'webhook_deliveries', {
      columns: [
        generatedId(),
        bigint('endpoint_id'),
        varchar('event_id', 64),
        varchar('event_type', 40),
        bigint('body_id'),
        varchar('status', 10),
        int('attempts'),
        int('status_code', nullable),
        varchar('error', 100, nullable),
        int('ms', nullable),
        varchar('response', 500, nullable),
        moment('due_at', nullable),
        varchar('claim', 36, nullable),
        moment('created_at'),
        moment('finished_at', nullable),
      ],
      indices: [
        { name: 'uq_webhook_deliveries_event', columns: ['endpoint_id', 'event_id'], unique: true },
        { name: 'ix_webhook_deliveries_due', columns: ['endpoint_id', 'status', 'due_at'] },
        { name: 'ix_webhook_deliveries_list', columns: ['endpoint_id', 'id'] },
        { name: 'ix_webhook_deliveries_type', columns: ['endpoint_id', 'event_type', 'id'] },
      ],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['webhook_deliveries', 'webhook_events', 'webhook_endpoints'])
      await runner.dropTable(table, true);
  }
}
