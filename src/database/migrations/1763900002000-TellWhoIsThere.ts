import type { MigrationInterface, QueryRunner } from 'typeorm';
import { bigint, createTable, int, moment, nullable, primary, varchar } from './schema';

/** Creates the tables for presence: open event streams per user and instance, the last change, and live instances. */
export class TellWhoIsThere1763900002000 implements MigrationInterface {
  readonly name = 'TellWhoIsThere1763900002000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, 'presence_streams', {
      columns: [
        bigint('user_id', primary),
        varchar('instance_id', 36, primary),
        moment('since'),
        moment('until', nullable),
      ],
      indices: [
        { name: 'ix_presence_streams_instance', columns: ['instance_id'] },
        { name: 'ix_presence_streams_until', columns: ['until'] },
      ],
      withoutRowid: true,
    });
    await createTable(runner, 'presence', {
      columns: [
        bigint('user_id', primary),
        moment('changed_at'),
        int('version'),
        moment('last_seen_at', nullable),
      ],
      indices: [{ name: 'ix_presence_changed', columns: ['changed_at'] }],
    });
    await createTable(runner, 'instances', {
      columns: [varchar('id', 36, primary), moment('renewed_at')],
      indices: [{ name: 'ix_instances_renewed', columns: ['renewed_at'] }],
      withoutRowid: true,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['instances', 'presence', 'presence_streams']) await runner.dropTable(table, true);
  }
}
