import type { MigrationInterface, QueryRunner } from 'typeorm';
import { bigint, createTable, generatedId, int, moment, nullable, primary, varchar } from './schema';

export class CreateDeviceGroups1763600003000 implements MigrationInterface {
  readonly name = 'CreateDeviceGroups1763600003000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, 'device_groups', {
      columns: [
        generatedId(),
        varchar('name', 100),
        varchar('name_search', 300),
        varchar('description', 500),
        bigint('parent_id', nullable),
        varchar('path', 191),
        int('depth'),
        int('sort_order'),
        int('status'),
      ],
      indices: [
        { name: 'ix_device_groups_order', columns: ['sort_order', 'id'] },
        { name: 'ix_device_groups_status', columns: ['status', 'sort_order', 'id'] },
        { name: 'ix_device_groups_parent', columns: ['parent_id', 'sort_order', 'id'] },
        { name: 'ix_device_groups_path', columns: ['path'] },
      ],
    });
    await createTable(runner, 'device_group_tree', { columns: [int('id', primary), bigint('version')] });
    await runner.manager
      .createQueryBuilder()
      .insert()
      .into('device_group_tree', ['id', 'version'])
      .values({ id: 1, version: 1 })
      // The migration may run again after an interruption.
      .orIgnore()
      .execute();
    await createTable(runner, 'devices', {
      columns: [
        generatedId(),
        varchar('name', 100),
        varchar('name_search', 300),
        varchar('serial_no', 64, nullable),
        varchar('serial_no_search', 192, nullable),
        int('status'),
        moment('created_at'),
      ],
      indices: [
        { name: 'ix_devices_status', columns: ['status', 'id'] },
        { name: 'uq_devices_serial_no', columns: ['serial_no'], unique: true },
      ],
    });
    await createTable(runner, 'device_memberships', {
      columns: [bigint('group_id', primary), bigint('device_id', primary)],
      indices: [{ name: 'ix_device_memberships_device', columns: ['device_id', 'group_id'] }],
      withoutRowid: true,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['device_memberships', 'devices', 'device_group_tree', 'device_groups']) {
      await runner.dropTable(table, true);
    }
  }
}
