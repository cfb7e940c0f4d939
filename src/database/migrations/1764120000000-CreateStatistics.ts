import type { MigrationInterface, QueryRunner } from 'typeorm';
import { bigint, createTable, int, moment, nullable, primary, varchar } from './schema';

const TABLES = ['stats_daily', 'stats_walks', 'user_activity', 'instance_streams'];

/**
 * Creates daily metrics, the checkpoints of the rollups, users' last active days, and the stream counts of instances.
 */
export class CreateStatistics1764120000000 implements MigrationInterface {
  readonly name = 'CreateStatistics1764120000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, 'stats_daily', {
      columns: [varchar('metric', 40, primary), varchar('day', 10, primary), bigint('value')],
      withoutRowid: true,
    });
    await createTable(runner, 'stats_walks', {
      columns: [
        varchar('name', 40, primary),
        bigint('position'),
        varchar('claim', 36, nullable),
        moment('lease_until', nullable),
      ],
      withoutRowid: true,
    });
    await createTable(runner, 'user_activity', {
      columns: [bigint('user_id', primary), varchar('last_day', 10)],
    });
    await createTable(runner, 'instance_streams', {
      columns: [varchar('instance_id', 36, primary), int('streams'), moment('told_at')],
      withoutRowid: true,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.dropTable(table, true);
  }
}
