import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';
import { hasIndex } from './schema';

const TABLE = 'sessions';
const INDEX = new TableIndex({ name: 'ix_sessions_use', columnNames: ['last_used_at', 'id'] });

/** Adds the index for the list of all sessions by their last use. */
export class ListAllSessions1764420000000 implements MigrationInterface {
  readonly name = 'ListAllSessions1764420000000';

  /** May run again after an interruption: MySQL commits each statement by itself. */
  async up(runner: QueryRunner): Promise<void> {
    if (!(await hasIndex(runner, TABLE, INDEX))) await runner.createIndex(TABLE, INDEX);
  }

  async down(runner: QueryRunner): Promise<void> {
    if (await hasIndex(runner, TABLE, INDEX)) await runner.dropIndex(TABLE, INDEX);
  }
}
