import type { MigrationInterface, QueryRunner } from 'typeorm';
import { bigint, boolean, createTable, moment, nullable, primary, varchar } from './schema';

/** Creates the preferences of users about notifications and pushes. */
export class CreatePreferences1764410000000 implements MigrationInterface {
  readonly name = 'CreatePreferences1764410000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, 'preferences', {
      columns: [
        bigint('user_id', primary),
        bigint('version'),
        moment('dnd_until', nullable),
        varchar('quiet_hours', 255, nullable),
        boolean('calls_when_quiet'),
        varchar('preview', 8),
      ],
      withoutRowid: true,
    });
    await createTable(runner, 'preference_types', {
      columns: [bigint('user_id', primary), varchar('type', 50, primary), boolean('in_app'), boolean('push')],
      withoutRowid: true,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('preference_types', true);
    await runner.dropTable('preferences', true);
  }
}
