import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';

const INDICES = [
  { table: 'users', name: 'ix_users_role', columnNames: ['role'] },
  { table: 'presence', name: 'ix_presence_last_seen', columnNames: ['last_seen_at'] },
];

/** Adds indexes for users by role, and in the order in which they were last seen. */
export class SortUsersByLastSeen1764131000000 implements MigrationInterface {
  readonly name = 'SortUsersByLastSeen1764131000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const { table, ...index } of INDICES)
      if (!(await has(runner, table, index.name))) await runner.createIndex(table, new TableIndex(index));
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { table, name } of INDICES)
      if (await has(runner, table, name)) await runner.dropIndex(table, name);
  }
}

async function has(runner: QueryRunner, table: string, name: string): Promise<boolean> {
  const found = await runner.getTable(table);
  return found?.indices.some((index) => index.name === name) ?? false;
}
