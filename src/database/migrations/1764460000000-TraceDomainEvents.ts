import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['domain_events', 'webhook_events'];

/** Adds the trace of the request that caused a domain event. The previous version writes rows without it. */
export class TraceDomainEvents1764460000000 implements MigrationInterface {
  readonly name = 'TraceDomainEvents1764460000000';

  /** May run again after an interruption: MySQL commits each statement by itself. */
  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES)
      if (!(await runner.hasColumn(table, 'traceparent')))
        await runner.query(`ALTER TABLE ${table} ADD COLUMN traceparent varchar(55) NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES)
      if (await runner.hasColumn(table, 'traceparent'))
        await runner.query(`ALTER TABLE ${table} DROP COLUMN traceparent`);
  }
}
