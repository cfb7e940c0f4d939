import type { MigrationInterface, QueryRunner } from 'typeorm';
import { bigint, createTable, int, primary, varchar } from './schema';

const KEY = 'user_id, peer_id, kind, media_type';

/** Stores every filtered list of calls in its own rows, and fills them from `call_history`. */
export class CreateCallLists1763700030000 implements MigrationInterface {
  readonly name = 'CreateCallLists1763700030000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, 'call_lists', { columns: [...keyColumns(), int('total')], withoutRowid: true });
    await createTable(runner, 'call_list_entries', {
      columns: [...keyColumns(), int('position', primary), bigint('call_id')],
      withoutRowid: true,
    });
    await fill(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['call_list_entries', 'call_lists']) await runner.dropTable(table, true);
  }
}

const keyColumns = () => [
  bigint('user_id', primary),
  bigint('peer_id', primary),
  varchar('kind', 8, primary),
  varchar('media_type', 8, primary),
];

/**
 * Starts from empty tables, because an interrupted run may have filled them: MySQL commits each statement by itself.
 */
async function fill(runner: QueryRunner): Promise<void> {
  for (const table of ['call_list_entries', 'call_lists']) await runner.query(`DELETE FROM ${table}`);
  for (const peer of ['0', 'peer_id']) {
    for (const kind of ["''", 'direction', "'missed'"]) {
      for (const media of ["''", 'media_type']) {
        const columns = ['user_id', peer, kind, media].filter((value) => /^[a-z]/.test(value));
        await runner.query(
          `INSERT INTO call_list_entries (${KEY}, position, call_id)
           SELECT user_id, ${peer}, ${kind}, ${media},
             ROW_NUMBER() OVER (PARTITION BY ${columns.join(', ')} ORDER BY call_id), call_id
           FROM call_history WHERE ${kind === "'missed'" ? 'missed = 1' : '1 = 1'}`,
        );
      }
    }
  }
  await runner.query(
    `INSERT INTO call_lists (${KEY}, total) SELECT ${KEY}, COUNT(*) FROM call_list_entries GROUP BY ${KEY}`,
  );
}
