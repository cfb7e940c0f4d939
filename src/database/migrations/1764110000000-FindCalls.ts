import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLE = 'calls';
const INDICES = {
  ix_calls_created: ['created_at', 'id'],
  ix_calls_status: ['status', 'media_type', 'created_at', 'id'],
  ix_calls_reason: ['end_reason', 'status', 'media_type', 'created_at', 'id'],
  ix_calls_caller: ['caller_id', 'status', 'media_type', 'created_at', 'id'],
  ix_calls_callee: ['callee_id', 'status', 'media_type', 'created_at', 'id'],
  ix_calls_caller_reason: ['caller_id', 'end_reason', 'created_at', 'id'],
  ix_calls_callee_reason: ['callee_id', 'end_reason', 'created_at', 'id'],
};

/** Adds an index for every filter of the administrators' call search. Each ends in the order of the list. */
export class FindCalls1764110000000 implements MigrationInterface {
  readonly name = 'FindCalls1764110000000';

  async up(runner: QueryRunner): Promise<void> {
    const table = await runner.getTable(TABLE);
    const missing = Object.entries(INDICES).filter(
      ([name]) => !table?.indices.some((index) => index.name === name),
    );
    if (missing.length === 0) return;
    if (runner.dataSource.options.type === 'better-sqlite3') {
      for (const [name, columns] of missing)
        await runner.query(`CREATE INDEX ${name} ON ${TABLE} (${columns.join(', ')})`);
      return;
    }
    // One statement, so that MySQL reads the table once.
    const added = missing.map(([name, columns]) => `ADD INDEX ${name} (${columns.join(', ')})`);
    await runner.query(`ALTER TABLE ${TABLE} ${added.join(', ')}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDICES)) await runner.dropIndex(TABLE, name);
  }
}
