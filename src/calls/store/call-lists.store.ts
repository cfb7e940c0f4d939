import type { EntityManager } from 'typeorm';
import type { CallId, UserId } from '../../common/ids';
import {
  byIndex,
  excluded,
  onConflictUpdate,
  placeholders,
  type RawCount,
  toCount,
  tuples,
} from '../../database/sql/dialect';
import { ANYBODY, type CountedKind } from '../entities/call-counts.entity';
import { type CallEntity, MEDIA_TYPES, type MediaType } from '../entities/call.entity';
import { type Direction, DIRECTIONS } from '../entities/call-position.entity';

/*
 * A call stores its position in every list that contains it, and each position has an index: a page with any filter is
 * one range of one index (docs/adr/0059-store-calls-once-per-user-with-positions-in-all-lists.md).
 */

/** Selects one of a user's lists of calls. Without a property, calls are not filtered by it. */
export interface CallListFilter {
  kind?: CountedKind;
  media_type?: MediaType;
  peer_id?: number;
}

type Listed = Pick<CallEntity, 'caller_id' | 'callee_id' | 'media_type'>;

const COUNTS_KEY = ['user_id', 'peer_id'] as const;

/** Returns a page of a list: the ids of its calls, newest first, and the length of the list, from one statement. */
export async function readListPage(
  em: EntityManager,
  userId: UserId,
  { kind, media_type, peer_id }: CallListFilter,
  { skip, take }: { skip: number; take: number },
): Promise<{ callIds: CallId[]; total: number }> {
  const table = kind === 'missed' ? 'missed_call_positions' : 'call_positions';
  const direction = kind === 'missed' ? undefined : kind;
  const filters = Object.entries({ peer_id, direction, media_type }).filter(
    ([, value]) => value !== undefined,
  );
  const words = filters.map(([column]) => column.split('_')[0]);
  const position = `e.${[...words, 'position'].join('_')}`;
  const total = countOf('c', kind, media_type);
  const rows = await em.query<{ total: RawCount; call_id: CallId | null }[]>(
    `SELECT ${total} AS total, e.call_id
     FROM call_counts c LEFT JOIN ${table} e ${byIndex(em, ['ix', table, ...words].join('_'))}
       ON e.user_id = c.user_id${filters.map(([column]) => ` AND e.${column} = ?`).join('')}
         AND ${position} > ${total} - ? AND ${position} <= ${total} - ?
     WHERE c.user_id = ? AND c.peer_id = ? ORDER BY ${position} DESC`,
    [...filters.map(([, value]) => value), skip + take, skip, userId, peer_id ?? ANYBODY],
  );
  return { callIds: rows.flatMap(({ call_id }) => call_id ?? []), total: toCount(rows[0]?.total) };
}

/**
 * Counts a new call for both users. The counts stay locked until the end of the transaction, so that ids are assigned
 * in the order of positions if the call is inserted afterwards.
 */
export const countCall = (
  em: EntityManager,
  { caller_id, callee_id, media_type }: Listed,
  isMissed: boolean,
): Promise<void> =>
  incrementCounts(em, media_type, [
    { userId: caller_id, peerId: callee_id, kinds: ['outgoing'] },
    { userId: callee_id, peerId: caller_id, kinds: isMissed ? ['incoming', 'missed'] : ['incoming'] },
  ]);

/** Inserts the positions of a new call that is counted already. Sends all statements before it returns. */
export function insertPositions(
  em: EntityManager,
  call: Listed & Pick<CallEntity, 'id'>,
  isMissed: boolean,
): Promise<unknown> {
  const { id, caller_id, callee_id, media_type } = call;
  const positions = em.query(
    `INSERT INTO call_positions (user_id, call_id, peer_id, direction, media_type, position, media_position,
       direction_position, direction_media_position, peer_position, peer_media_position, peer_direction_position,
       peer_direction_media_position)
     ${lastPositions('outgoing', media_type)} UNION ALL ${lastPositions('incoming', media_type)}`,
    [
      [id, 'outgoing', media_type, callee_id, caller_id, ANYBODY],
      [id, 'incoming', media_type, caller_id, callee_id, ANYBODY],
    ].flat(),
  );
  return Promise.all([positions, isMissed && insertMissed(em, call, [])]);
}

/** Adds a call that ended unanswered to its callee's lists of missed calls. */
export async function listMissed(em: EntityManager, call: Listed & Pick<CallEntity, 'id'>): Promise<void> {
  const { id, caller_id, callee_id, media_type } = call;
  await incrementCounts(em, media_type, [{ userId: callee_id, peerId: caller_id, kinds: ['missed'] }]);
  // Later callers found the callee busy, and their calls are listed already: they move up by one position.
  const newer = await em.query<MissedCall[]>(
    'SELECT peer_id, media_type FROM missed_call_positions WHERE user_id = ? AND call_id > ?',
    [callee_id, id],
  );
  if (newer.length > 0)
    await em.query(
      `UPDATE missed_call_positions SET position = position + 1, media_position = media_position + (media_type = ?),
         peer_position = peer_position + (peer_id = ?),
         peer_media_position = peer_media_position + (peer_id = ? AND media_type = ?)
       WHERE user_id = ? AND call_id > ?`,
      [media_type, caller_id, caller_id, media_type, callee_id, id],
    );
  await insertMissed(em, call, newer);
}

interface MissedCall {
  peer_id: number;
  media_type: MediaType;
}

/**
 * Inserts a call that is counted already into its callee's lists of missed calls.
 * @param newer the newer calls in these lists
 */
async function insertMissed(
  em: EntityManager,
  { id, caller_id, callee_id, media_type }: Listed & Pick<CallEntity, 'id'>,
  newer: readonly MissedCall[],
): Promise<void> {
  const ofPeer = newer.filter(({ peer_id }) => peer_id === caller_id);
  const before = [newer, ofPeer].flatMap((calls) => [
    calls.length,
    calls.filter((call) => call.media_type === media_type).length,
  ]);
  const [all, media, peer, peerMedia] = ['a', 'p'].flatMap((counts) => [
    countOf(counts, 'missed', undefined),
    countOf(counts, 'missed', media_type),
  ]);
  await em.query(
    `INSERT INTO missed_call_positions (user_id, call_id, peer_id, media_type, position, media_position,
       peer_position, peer_media_position)
     SELECT a.user_id, ?, p.peer_id, ?, ${all} - ?, ${media} - ?, ${peer} - ?, ${peerMedia} - ? ${BOTH_COUNTS}`,
    [id, media_type, ...before, caller_id, callee_id, ANYBODY],
  );
}

/** The counts of one user: of all calls (`a`), and of those with one peer (`p`). Parameters: peer, user, `ANYBODY`. */
const BOTH_COUNTS = `FROM call_counts a JOIN call_counts p ON p.user_id = a.user_id AND p.peer_id = ?
     WHERE a.user_id = ? AND a.peer_id = ?`;

/** Returns a SELECT of a call that is the last one in all its lists. Parameters: call, direction, media, `BOTH_COUNTS`. */
function lastPositions(direction: Direction, media: MediaType): string {
  const positions = ['a', 'p'].flatMap((counts) => [
    countOf(counts, undefined, undefined),
    countOf(counts, undefined, media),
    countOf(counts, direction, undefined),
    countOf(counts, direction, media),
  ]);
  return `SELECT a.user_id, ?, p.peer_id, ?, ?, ${positions.join(', ')} ${BOTH_COUNTS}`;
}

/** Returns the sum of the columns of a row of `call_counts` that count the calls of a kind and media type, or of any. */
const countOf = (row: string, kind: CountedKind | undefined, media: MediaType | undefined): string =>
  (kind === undefined ? DIRECTIONS : [kind])
    .flatMap((counted) =>
      (media === undefined ? MEDIA_TYPES : [media]).map((type) => `${row}.${counted}_${type}`),
    )
    .join(' + ');

interface Increment {
  userId: UserId;
  peerId: UserId;
  kinds: CountedKind[];
}

/** Increments counts of users, which locks them: lower user ids first, so that transactions do not deadlock. */
async function incrementCounts(em: EntityManager, media: MediaType, increments: Increment[]): Promise<void> {
  const kinds = [...new Set(increments.flatMap((increment) => increment.kinds))];
  const columns = kinds.map((kind) => `${kind}_${media}`);
  const rows = increments
    .toSorted((a, b) => a.userId - b.userId)
    .flatMap(({ userId, peerId, kinds: counted }) =>
      [ANYBODY, peerId].map((peer) => [userId, peer, ...kinds.map((kind) => Number(counted.includes(kind)))]),
    );
  const additions = columns.map((column) => `${column} = ${column} + ${excluded(em, column)}`);
  await em.query(
    `INSERT INTO call_counts (${[...COUNTS_KEY, ...columns].join(', ')})
     VALUES ${tuples(rows, placeholders([...COUNTS_KEY, ...columns]))}
     ${onConflictUpdate(em, COUNTS_KEY, additions.join(', '))}`,
    rows.flat(),
  );
}

/** Returns which of the users `ids` (at least one) have ever called the user. */
export async function callersOf(
  em: EntityManager,
  userId: number,
  ids: readonly number[],
): Promise<number[]> {
  const rows = await em.query<{ peer_id: number | string }[]>(
    `SELECT peer_id FROM call_counts
     WHERE user_id = ? AND peer_id IN (${placeholders(ids)}) AND incoming_audio + incoming_video > 0`,
    [userId, ...ids],
  );
  return rows.map(({ peer_id }) => Number(peer_id));
}
