import type { MigrationInterface, QueryRunner } from 'typeorm';
import { CreateCallLists1763700030000 } from './1763700030000-CreateCallLists';
import { bigint, createTable, int, primary, varchar } from './schema';

/** Users whose calls one statement adds. */
const USER_CHUNK_SIZE = 20;
const DIRECTIONS = ['incoming', 'outgoing'];
const MEDIA_TYPES = ['audio', 'video'];
const IS_MISSED = "(status = 'cancelled' OR (status = 'ended' AND accepted_at IS NULL))";

/** Filters of the lists of a table, in the order of its columns. */
const FILTERS = [[], ['peer'], ['media'], ['peer', 'media']];
const TABLES: Record<string, string[][]> = {
  call_positions: [
    ...FILTERS,
    ['direction'],
    ['peer', 'direction'],
    ['direction', 'media'],
    ['peer', 'direction', 'media'],
  ],
  missed_call_positions: FILTERS,
};
const COLUMN_OF: Record<string, string> = { peer: 'peer_id', direction: 'direction', media: 'media_type' };

/**
 * Stores each call once per user, with its position in every list, and fills the tables from `calls`. The previous
 * version still writes `call_history`, `call_lists` and `call_list_entries`; a later release drops them.
 */
export class PositionCalls1764200000000 implements MigrationInterface {
  readonly name = 'PositionCalls1764200000000';

  async up(runner: QueryRunner): Promise<void> {
    const kinds = [...DIRECTIONS, 'missed'];
    await createTable(runner, 'call_counts', {
      columns: [
        bigint('user_id', primary),
        bigint('peer_id', primary),
        ...kinds.flatMap((kind) => MEDIA_TYPES.map((media) => int(`${kind}_${media}`, { default: 0 }))),
      ],
      withoutRowid: true,
    });
    for (const [table, lists] of Object.entries(TABLES))
      await createTable(runner, table, {
        columns: [
          bigint('user_id', primary),
          bigint('call_id', primary),
          bigint('peer_id'),
          ...(table === 'call_positions' ? [varchar('direction', 8)] : []),
          varchar('media_type', 8),
          ...lists.map((words) => int(positionOf(words))),
        ],
        indices: lists.map((words) => ({
          name: ['ix', table, ...words].join('_'),
          columns: ['user_id', ...columnsOf(words), positionOf(words)],
        })),
        withoutRowid: true,
      });
    await fill(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await restorePrevious(runner);
    for (const table of ['call_counts', ...Object.keys(TABLES)]) await runner.dropTable(table, true);
  }
}

const positionOf = (words: string[]): string => [...words, 'position'].join('_');

const columnsOf = (words: string[]): string[] => words.map((word) => COLUMN_OF[word] ?? word);

/** Adds the calls of a few users at a time. An interrupted run continues after the last user whose calls are counted. */
async function fill(runner: QueryRunner): Promise<void> {
  let from = await idOf(runner, 'SELECT MAX(user_id) AS id FROM call_counts');
  for (const table of Object.keys(TABLES)) await runner.query(`DELETE FROM ${table} WHERE user_id > ${from}`);
  for (let to = await lastOfChunk(runner, from); to > 0; to = await lastOfChunk(runner, from)) {
    const calls = callsOfUsers(from, to);
    for (const [table, lists] of Object.entries(TABLES)) {
      const columns = [
        'user_id',
        'call_id',
        'peer_id',
        ...(table === 'call_positions' ? ['direction'] : []),
        'media_type',
      ];
      await runner.query(
        `INSERT INTO ${table} (${[...columns, ...lists.map(positionOf)].join(', ')})
         SELECT ${[...columns, ...lists.map(numberIn)].join(', ')}
         FROM ${calls}${table === 'call_positions' ? '' : ' WHERE missed = 1'}`,
      );
    }
    await runner.query(
      `INSERT INTO call_counts ${countsOf(calls, '0')} UNION ALL ${countsOf(calls, 'peer_id')}`,
    );
    from = to;
  }
}

async function idOf(runner: QueryRunner, sql: string): Promise<number> {
  const [row] = (await runner.query(sql)) as { id: number | string | null }[];
  return Number(row?.id ?? 0);
}

/** Returns the last id of the next users who have calls; 0 if there are none. */
async function lastOfChunk(runner: QueryRunner, from: number): Promise<number> {
  const some = ['caller_id', 'callee_id'].map(
    (column) =>
      `SELECT * FROM (SELECT DISTINCT ${column} AS id FROM calls WHERE ${column} > ${from}
         ORDER BY ${column} LIMIT ${USER_CHUNK_SIZE}) ${column}s`,
  );
  const users = `SELECT id FROM (${some.join(' UNION ')}) u ORDER BY id LIMIT ${USER_CHUNK_SIZE}`;
  return idOf(runner, `SELECT MAX(id) AS id FROM (${users}) c`);
}

/** Returns a derived table of the calls of the users with ids above `from` up to `to`. */
const callsOfUsers = (from: number, to: number): string =>
  `(SELECT caller_id AS user_id, id AS call_id, callee_id AS peer_id, 'outgoing' AS direction, media_type, 0 AS missed
    FROM calls WHERE caller_id > ${from} AND caller_id <= ${to}
    UNION ALL
    SELECT callee_id, id, caller_id, 'incoming', media_type, CASE WHEN ${IS_MISSED} THEN 1 ELSE 0 END
    FROM calls WHERE callee_id > ${from} AND callee_id <= ${to}) c`;

const numberIn = (words: string[]): string =>
  `ROW_NUMBER() OVER (PARTITION BY ${['user_id', ...columnsOf(words)].join(', ')} ORDER BY call_id)`;

function countsOf(calls: string, peer: string): string {
  const counts = [...DIRECTIONS.map((direction) => `direction = '${direction}'`), 'missed = 1'].flatMap(
    (kind) =>
      MEDIA_TYPES.map((media) => `SUM(CASE WHEN ${kind} AND media_type = '${media}' THEN 1 ELSE 0 END)`),
  );
  const group = peer === '0' ? 'user_id' : `user_id, ${peer}`;
  return `SELECT user_id, ${peer}, ${counts.join(', ')} FROM ${calls} GROUP BY ${group}`;
}

/** Adds the calls that are missing in the tables of the previous version, and rebuilds its lists. */
async function restorePrevious(runner: QueryRunner): Promise<void> {
  await runner.query(
    `INSERT INTO call_history (user_id, call_id, peer_id, direction, media_type, missed)
     SELECT c.user_id, c.call_id, c.peer_id, c.direction, c.media_type, 0
     FROM call_positions c LEFT JOIN call_history h ON h.user_id = c.user_id AND h.call_id = c.call_id
     WHERE h.user_id IS NULL`,
  );
  await runner.query(
    `UPDATE call_history SET missed = 1 WHERE missed = 0 AND EXISTS (SELECT 1 FROM missed_call_positions m
       WHERE m.user_id = call_history.user_id AND m.call_id = call_history.call_id)`,
  );
  await new CreateCallLists1763700030000().up(runner);
}
