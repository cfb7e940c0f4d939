import { type MigrationInterface, type QueryRunner, TableColumn } from 'typeorm';
import { boolean } from './schema';

const TABLE = 'push_targets';
const COLUMN = 'responsive';

/** Web Push endpoints count as not responsive until they accept their next push. */
export class AddResponsiveEndpoints1764480000000 implements MigrationInterface {
  readonly name = 'AddResponsiveEndpoints1764480000000';

  async up(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn(TABLE, COLUMN)) return;
    await runner.addColumn(TABLE, new TableColumn(boolean(COLUMN, { default: 0 })));
  }

  async down(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn(TABLE, COLUMN)) await runner.dropColumn(TABLE, COLUMN);
  }
}
