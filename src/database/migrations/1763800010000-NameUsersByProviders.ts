import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';

const TABLE = 'users';
const INDEX = 'uq_users_external';
const COLUMNS = { issuer: "varchar(255) NOT NULL DEFAULT ''", external_id: 'varchar(255) NULL' };

/** Adds the external id by which an identity provider names a user. */
export class NameUsersByProviders1763800010000 implements MigrationInterface {
  readonly name = 'NameUsersByProviders1763800010000';

  async up(runner: QueryRunner): Promise<void> {
    for (const [column, type] of Object.entries(COLUMNS))
      if (!(await runner.hasColumn(TABLE, column)))
        await runner.query(`ALTER TABLE ${TABLE} ADD COLUMN ${column} ${type}`);
    const table = await runner.getTable(TABLE);
    if (table?.indices.some(({ name }) => name === INDEX)) return;
    const index = { name: INDEX, columnNames: ['external_id', 'issuer'], isUnique: true };
    await runner.createIndex(TABLE, new TableIndex(index));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex(TABLE, INDEX);
    for (const column of Object.keys(COLUMNS))
      await runner.query(`ALTER TABLE ${TABLE} DROP COLUMN ${column}`);
  }
}
