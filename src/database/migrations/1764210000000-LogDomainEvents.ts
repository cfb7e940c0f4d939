import type { MigrationInterface, QueryRunner } from 'typeorm';
import { bigint, createTable, generatedId, mediumtext, moment, nullable, primary, varchar } from './schema';

/** Rows of `domain_event_positions`: the highest assigned position, and the consumers. */
const POSITIONS = ['head', 'webhooks', 'statistics'];

/** Replaces the outbox, from which dispatched rows are deleted, by a log that each consumer reads by position. */
export class LogDomainEvents1764210000000 implements MigrationInterface {
  readonly name = 'LogDomainEvents1764210000000';

  /** May run again after an interruption: MySQL commits each statement by itself. */
  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, 'domain_events', {
      columns: [
        generatedId(),
        bigint('position', nullable),
        varchar('event_id', 40),
        varchar('type', 50),
        varchar('subject', 100),
        mediumtext('payload'),
        moment('created_at'),
        varchar('consumer', 40, nullable),
      ],
      indices: [{ name: 'ix_domain_events_position', columns: ['position'] }],
    });
    await createTable(runner, 'domain_event_positions', {
      columns: [varchar('name', 40, primary), bigint('position')],
      withoutRowid: true,
    });
    const existing = (await runner.query('SELECT name FROM domain_event_positions')) as { name: string }[];
    for (const name of POSITIONS)
      if (!existing.some((row) => row.name === name))
        await runner.query(`INSERT INTO domain_event_positions (name, position) VALUES ('${name}', 0)`);
    if (!(await runner.hasTable('outbox'))) return;
    await runner.query(
      `INSERT INTO domain_events (id, event_id, type, subject, payload, created_at)
       SELECT id, event_id, type, subject, payload, created_at FROM outbox
       WHERE id > (SELECT COALESCE(MAX(id), 0) FROM domain_events)`,
    );
    await runner.dropTable('outbox');
  }

  /** Keeps the domain events that a consumer has not handled; the previous version dispatches them to all consumers. */
  async down(runner: QueryRunner): Promise<void> {
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
    if (await runner.hasTable('domain_events'))
      await runner.query(
        `INSERT INTO outbox (id, event_id, type, subject, payload, created_at, due_at)
         SELECT id, event_id, type, subject, payload, created_at, created_at FROM domain_events
         WHERE (position IS NULL OR position > (SELECT MIN(position) FROM domain_event_positions))
           AND id > (SELECT COALESCE(MAX(id), 0) FROM outbox)`,
      );
    for (const table of ['domain_events', 'domain_event_positions']) await runner.dropTable(table, true);
  }
}
