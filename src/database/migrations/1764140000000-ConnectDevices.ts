import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';
import { bigint, createTable, int, primary } from './schema';

const DEVICES = 'devices';
const TOTALS = 'device_totals';

/** New columns of devices, with the types of SQLite and of MySQL. */
const COLUMNS: readonly [name: string, sqlite: string, mysql: string][] = [
  ['user_id', 'integer NULL', 'bigint NULL'],
  ['online', 'boolean NOT NULL DEFAULT 0', 'tinyint NOT NULL DEFAULT 0'],
  ['offline_at', 'datetime(3) NULL', 'datetime(3) NULL'],
  ['last_seen_at', 'datetime(3) NULL', 'datetime(3) NULL'],
  ['version', 'varchar(50) NULL', 'varchar(50) NULL'],
  ['battery', 'integer NULL', 'int NULL'],
];

const INDICES = [
  new TableIndex({ name: 'uq_devices_user', columnNames: ['user_id'], isUnique: true }),
  new TableIndex({ name: 'ix_devices_online', columnNames: ['online', 'id'] }),
  new TableIndex({ name: 'ix_devices_offline', columnNames: ['offline_at'] }),
  new TableIndex({ name: 'ix_devices_serial_no', columnNames: ['serial_no', 'id'] }),
];

/** Adds the user account and presence of devices, and an index of devices by serial number. */
export class ConnectDevices1764140000000 implements MigrationInterface {
  readonly name = 'ConnectDevices1764140000000';

  /** May run again after an interruption: MySQL commits each statement by itself. */
  async up(runner: QueryRunner): Promise<void> {
    const isSqlite = runner.dataSource.options.type === 'better-sqlite3';
    for (const [name, sqlite, mysql] of COLUMNS)
      if (!(await runner.hasColumn(DEVICES, name)))
        await runner.query(`ALTER TABLE ${DEVICES} ADD COLUMN ${name} ${isSqlite ? sqlite : mysql}`);
    const table = await runner.getTable(DEVICES);
    for (const index of INDICES)
      if (!table?.indices.some(({ name }) => name === index.name)) await runner.createIndex(DEVICES, index);
    await createTable(runner, TOTALS, { columns: [int('id', primary), bigint('online')] });
    const insert = isSqlite ? 'INSERT OR IGNORE' : 'INSERT IGNORE';
    await runner.query(`${insert} INTO ${TOTALS} (id, online) VALUES (1, 0)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable(TOTALS, true);
    const table = await runner.getTable(DEVICES);
    for (const index of INDICES)
      if (table?.indices.some(({ name }) => name === index.name)) await runner.dropIndex(DEVICES, index);
    for (const [name] of COLUMNS)
      if (await runner.hasColumn(DEVICES, name))
        await runner.query(`ALTER TABLE ${DEVICES} DROP COLUMN ${name}`);
  }
}
