import type { MigrationInterface, QueryRunner } from 'typeorm';
import { bigint, createTable, moment, primary } from './schema';

/** New columns, with the types of SQLite and of MySQL. All have defaults: the previous version may still be running. */
const COLUMNS: readonly [table: string, name: string, sqlite: string, mysql: string][] = [
  ['notification_blocks', 'archived', 'blob NULL', 'blob NULL'],
  ['notification_types', 'archived', 'integer NOT NULL DEFAULT 0', 'int NOT NULL DEFAULT 0'],
  ['notification_types', 'archived_unread', 'integer NOT NULL DEFAULT 0', 'int NOT NULL DEFAULT 0'],
  ['notifications', 'critical', 'boolean NOT NULL DEFAULT 0', 'tinyint NOT NULL DEFAULT 0'],
  ['announcements', 'critical', 'boolean NOT NULL DEFAULT 0', 'tinyint NOT NULL DEFAULT 0'],
];

/** Adds the archive and the snoozes of notifications, and critical notifications. */
export class ArchiveNotifications1764411000000 implements MigrationInterface {
  readonly name = 'ArchiveNotifications1764411000000';

  /** May run again after an interruption: MySQL commits each statement by itself. */
  async up(runner: QueryRunner): Promise<void> {
    const isSqlite = runner.dataSource.options.type === 'better-sqlite3';
    for (const [table, name, sqlite, mysql] of COLUMNS)
      if (!(await runner.hasColumn(table, name)))
        await runner.query(`ALTER TABLE ${table} ADD COLUMN ${name} ${isSqlite ? sqlite : mysql}`);
    await createTable(runner, 'notification_snoozes', {
      columns: [bigint('notification_id', primary), bigint('user_id'), moment('due_at')],
      indices: [{ name: 'ix_notification_snoozes_due', columns: ['due_at'] }],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('notification_snoozes', true);
    for (const [table, name] of COLUMNS)
      if (await runner.hasColumn(table, name)) await runner.query(`ALTER TABLE ${table} DROP COLUMN ${name}`);
  }
}
