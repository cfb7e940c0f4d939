import type { MigrationInterface, QueryRunner } from 'typeorm';
import { bigint, createTable, generatedId, int, mediumtext, moment } from './schema';

const isSqlite = ({ dataSource }: QueryRunner): boolean => dataSource.options.type === 'better-sqlite3';

/** Stores the shared part of event payloads once, in its own table. Existing events keep their whole payload. */
export class ShareEventPayloads1763700010000 implements MigrationInterface {
  readonly name = 'ShareEventPayloads1763700010000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, 'event_payloads', {
      columns: [generatedId(), mediumtext('payload'), int('bytes'), moment('created_at')],
      indices: [{ name: 'ix_event_payloads_created', columns: ['created_at'] }],
    });
    if (await runner.hasColumn('events', 'payload_id')) return;
    const type = isSqlite(runner) ? 'integer' : bigint('payload_id').type;
    // Raw SQL, because TypeORM would copy the whole table on SQLite.
    await runner.query(`ALTER TABLE events ADD COLUMN payload_id ${type} NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    const whole = isSqlite(runner) ? 'p.payload || events.payload' : 'CONCAT(p.payload, events.payload)';
    await runner.query(
      `UPDATE events SET payload = (SELECT ${whole} FROM event_payloads p WHERE p.id = events.payload_id)
       WHERE payload_id IS NOT NULL`,
    );
    await runner.query('ALTER TABLE events DROP COLUMN payload_id');
    await runner.dropTable('event_payloads', true);
  }
}
