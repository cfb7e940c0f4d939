import { type MigrationInterface, type QueryRunner, TableColumn } from 'typeorm';
import { boolean, nullable } from './schema';

const TABLE = 'call_media_presences';
const COLUMN = 'returned';

export class AddMediaReturns1763700031000 implements MigrationInterface {
  readonly name = 'AddMediaReturns1763700031000';

  async up(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn(TABLE, COLUMN)) return;
    await runner.addColumn(TABLE, new TableColumn(boolean(COLUMN, nullable)));
  }

  async down(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn(TABLE, COLUMN)) await runner.dropColumn(TABLE, COLUMN);
  }
}
