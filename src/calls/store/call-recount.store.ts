import type { EntityManager } from 'typeorm';
import { inChunks } from '../../common/concurrency/chunks';
import type { CallId } from '../../common/ids';
import { nextIdsOf, onConflictUpdate, type RawCount, toCount } from '../../database/sql/dialect';
import { deleteRows, findRows } from '../../database/sql/statements';
import { ANYBODY, CallCountsEntity } from '../entities/call-counts.entity';
import { MEDIA_TYPES } from '../entities/call.entity';
import { CallPositionEntity, DIRECTIONS, MissedCallPositionEntity } from '../entities/call-position.entity';

/* Recomputes one user's lists of calls from the calls themselves. */

const COUNTERS = [...DIRECTIONS, 'missed' as const].flatMap((kind) =>
  MEDIA_TYPES.map((media) => `${kind}_${media}` as const),
);
type Counts = Record<(typeof COUNTERS)[number], number>;

const COLUMN_OF: Record<string, string> = {
  user: 'user_id',
  peer: 'peer_id',
  media: 'media_type',
};

export const POSITION_TABLES = [
  { entity: CallPositionEntity, name: 'call_positions', isMissed: false },
  { entity: MissedCallPositionEntity, name: 'missed_call_positions', isMissed: true },
] as const;

/** Derived table of a user's calls. Parameters: the user, twice. `missed` as `isMissed` in `rules/call-outcome.rules.ts`. */
const CALLS_OF_USER = `(SELECT caller_id AS user_id, id AS call_id, callee_id AS peer_id, 'outgoing' AS direction,
    media_type, 0 AS missed FROM calls WHERE caller_id = ?
  UNION ALL SELECT callee_id, id, caller_id, 'incoming', media_type,
    CASE WHEN status = 'cancelled' OR (status = 'ended' AND accepted_at IS NULL) THEN 1 ELSE 0 END
    FROM calls WHERE callee_id = ?) c`;

/** Returns the next ids of users with calls or counts, in ascending order. */
export async function usersWithCalls(em: EntityManager, after: number, limit: number): Promise<number[]> {
  const sources = [
    nextIdsOf('calls', 'caller_id'),
    nextIdsOf('calls', 'callee_id'),
    nextIdsOf('call_counts', 'user_id'),
  ];
  const rows = await em.query<{ id: number | string }[]>(`${sources.join(' UNION ')} ORDER BY id LIMIT ?`, [
    ...sources.flatMap(() => [after, limit]),
    limit,
  ]);
  return rows.map(({ id }) => Number(id));
}

/** Locks a user's lists: transactions that add a call to them lock these counts first. */
export async function lockLists(em: EntityManager, userId: number): Promise<void> {
  await em.query(
    `INSERT INTO call_counts (user_id, peer_id) VALUES (?, ?)
     ${onConflictUpdate(em, ['user_id', 'peer_id'], 'user_id = user_id')}`,
    [userId, ANYBODY],
  );
}

/** Replaces the rows of a user, whose lists are locked, that differ from the calls. Returns their number. */
export async function correctPositions(
  em: EntityManager,
  userId: number,
  { entity, name, isMissed }: (typeof POSITION_TABLES)[number],
): Promise<number> {
  const columns = em.dataSource.getMetadata(entity).columns.map(({ databaseName }) => databaseName);
  // The name of a position states by what its list is filtered, besides the user: `peer_media_position`.
  const selected = columns.map((column) => {
    if (!column.endsWith('position')) return column;
    const filters = column.split('_').slice(0, -1);
    const partition = ['user', ...filters].map((word) => COLUMN_OF[word] ?? word);
    return `ROW_NUMBER() OVER (PARTITION BY ${partition.join(', ')} ORDER BY call_id) AS ${column}`;
  });
  const listed = `${CALLS_OF_USER}${isMissed ? ' WHERE missed = 1' : ''}`;
  const matchesStored = columns.map((column) => `s.${column} = x.${column}`).join(' AND ');
  const wrong = await em.query<Partial<CallPositionEntity>[]>(
    `SELECT x.* FROM (SELECT ${selected.join(', ')} FROM ${listed}) x
     LEFT JOIN ${name} s ON ${matchesStored} WHERE s.call_id IS NULL`,
    [userId, userId],
  );
  const surplus = await em.query<{ call_id: CallId }[]>(
    `SELECT s.call_id FROM ${name} s LEFT JOIN (SELECT call_id AS id FROM ${listed}) x ON x.id = s.call_id
     WHERE s.user_id = ? AND x.id IS NULL`,
    [userId, userId, userId],
  );
  // In chunks, because SQLite allows 32,766 parameters per statement.
  for (const chunk of inChunks(wrong)) await em.upsert(entity, chunk, ['user_id', 'call_id']);
  for (const chunk of inChunks(surplus.map(({ call_id }) => call_id)))
    await deleteRows<CallPositionEntity>(em, entity, { user_id: userId, call_id: chunk });
  return wrong.length + surplus.length;
}

/** Counts a user's calls by peer; `ANYBODY`: all of them. */
export async function recountCalls(em: EntityManager, userId: number): Promise<Map<number, Counts>> {
  const sums = COUNTERS.map((counter) => {
    const [kind, media] = counter.split('_');
    const condition = kind === 'missed' ? 'missed = 1' : `direction = '${kind}'`;
    return `SUM(CASE WHEN ${condition} AND media_type = '${media}' THEN 1 ELSE 0 END) AS ${counter}`;
  });
  const rows = await em.query<Record<keyof Counts | 'peer_id', RawCount>[]>(
    `SELECT peer_id, ${sums.join(', ')} FROM ${CALLS_OF_USER} GROUP BY peer_id`,
    [userId, userId],
  );
  const byPeer = rows.map(
    (row) => [toCount(row.peer_id), countsOf((counter) => toCount(row[counter]))] as const,
  );
  const total = countsOf((counter) => byPeer.reduce((sum, [, counts]) => sum + counts[counter], 0));
  return new Map([[ANYBODY, total], ...byPeer]);
}

/** Returns a user's stored counts by peer. */
export async function storedCallCounts(em: EntityManager, userId: number): Promise<Map<number, Counts>> {
  const rows = await findRows(em, CallCountsEntity, { user_id: userId });
  return new Map(rows.map((row) => [row.peer_id, countsOf((counter) => row[counter])]));
}

/** Replaces a user's counts with a peer; undefined: the user has no calls with this peer. */
export async function storeCallCounts(
  em: EntityManager,
  key: Pick<CallCountsEntity, 'user_id' | 'peer_id'>,
  counts: Counts = countsOf(() => 0),
): Promise<void> {
  await em.upsert(CallCountsEntity, { ...key, ...counts }, ['user_id', 'peer_id']);
}

/** Returns the counters that differ, with both values. A missing row is zero. */
export const differencesOf = (stored: Counts | undefined, actual: Counts | undefined) =>
  COUNTERS.map((counter) => ({
    counter,
    stored: stored?.[counter] ?? 0,
    actual: actual?.[counter] ?? 0,
  })).filter((difference) => difference.stored !== difference.actual);

const countsOf = (valueOf: (counter: keyof Counts) => number): Counts =>
  Object.fromEntries(COUNTERS.map((counter) => [counter, valueOf(counter)])) as Counts;
