import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';

const TREE = 'device_group_tree';
const MEMBERSHIPS = 2;
const DEVICES = 'devices';
const INDEX = 'ix_devices_created';

/**
 * Adds a version of the device memberships, like that of the tree, and an index of devices in the order of creation.
 */
export class CountDevices1763800021000 implements MigrationInterface {
  readonly name = 'CountDevices1763800021000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.manager
      .createQueryBuilder()
      .insert()
      .into(TREE, ['id', 'version'])
      .values({ id: MEMBERSHIPS, version: 1 })
      // The migration may run again after an interruption.
      .orIgnore()
      .execute();
    const table = await runner.getTable(DEVICES);
    if (table?.indices.some(({ name }) => name === INDEX)) return;
    await runner.createIndex(DEVICES, new TableIndex({ name: INDEX, columnNames: ['created_at', 'id'] }));
  }

  async down(runner: QueryRunner): Promise<void> {
    const table = await runner.getTable(DEVICES);
    if (table?.indices.some(({ name }) => name === INDEX)) await runner.dropIndex(DEVICES, INDEX);
    await runner.query(`DELETE FROM ${TREE} WHERE id = ${MEMBERSHIPS}`);
  }
}
