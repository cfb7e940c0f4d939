import type { EntityManager } from 'typeorm';
import type { CallId, UserId } from '../../common/ids';
import { onConflictUpdate, placeholders, tuples } from '../../database/sql/dialect';
import type { CallEntity, MediaType } from '../entities/call.entity';
import {
  ANY,
  ANYBODY,
  type CallListEntity,
  CallListEntryEntity,
  type ListKind,
} from '../entities/call-list.entity';

/*
 * Every list of calls that a user can request is stored, with its calls at positions without gaps: a page with any
 * filter is one range of one key (docs/adr/0005-keep-call-lists-as-materialised-positions.md).
 */

/** The key of a list. */
export type ListKey = Pick<CallListEntity, 'user_id' | 'peer_id' | 'kind' | 'media_type'>;

type Listed = Pick<CallEntity, 'caller_id' | 'callee_id' | 'media_type'>;

const KEY = ['user_id', 'peer_id', 'kind', 'media_type'] as const;
const SAME_LIST = KEY.map((column) => `e.${column} = l.${column}`).join(' AND ');
const THIS_LIST = KEY.map((column) => `l.${column} = ?`).join(' AND ');

/** Returns a page of a list: the ids of its calls, newest first, and the length of the list, from one statement. */
export async function readListPage(
  em: EntityManager,
  list: ListKey,
  { skip, take }: { skip: number; take: number },
): Promise<{ callIds: CallId[]; total: number }> {
  const rows = await em.query<{ total: number; call_id: CallId | null }[]>(
    `SELECT l.total, e.call_id FROM call_lists l LEFT JOIN call_list_entries e
       ON ${SAME_LIST} AND e.position > l.total - ? AND e.position <= l.total - ?
     WHERE ${THIS_LIST} ORDER BY e.position DESC`,
    [skip + take, skip, ...KEY.map((column) => list[column])],
  );
  return { callIds: rows.flatMap(({ call_id }) => call_id ?? []), total: rows[0]?.total ?? 0 };
}

/**
 * Reserves the last position in each list of a new call. Returns a function that inserts the entries once the call has
 * its id. The lists stay locked until the end of the transaction, so that ids are assigned in the order of positions.
 */
export async function reserveListPositions(
  em: EntityManager,
  { caller_id, callee_id, media_type }: Listed,
  isMissed: boolean,
): Promise<(callId: number) => Promise<void>> {
  const lists = [
    ...listsOf(caller_id, callee_id, [ANY, 'outgoing'], media_type),
    ...listsOf(callee_id, caller_id, isMissed ? [ANY, 'incoming', 'missed'] : [ANY, 'incoming'], media_type),
  ];
  await incrementLengths(em, lists);
  return async (callId) => {
    await em.query(
      `INSERT INTO call_list_entries (${KEY.join(', ')}, position, call_id)
       SELECT ${KEY.join(', ')}, total, ? FROM call_lists l WHERE ${among(lists)}`,
      [callId, ...parametersOf(lists)],
    );
  };
}

/** Adds a call that ended unanswered to its callee's lists of missed calls. */
export async function listMissed(
  em: EntityManager,
  { id, caller_id, callee_id, media_type }: Listed & Pick<CallEntity, 'id'>,
): Promise<void> {
  const lists = listsOf(callee_id, caller_id, ['missed'], media_type);
  await incrementLengths(em, lists);
  const insertions = await em.query<(ListKey & { total: number; position: number })[]>(
    `SELECT ${KEY.join(', ')}, total, 1 + COALESCE((SELECT e.position FROM call_list_entries e
       WHERE ${SAME_LIST} AND e.call_id < ? ORDER BY e.position DESC LIMIT 1), 0) AS position
     FROM call_lists l WHERE ${among(lists)}`,
    [id, ...parametersOf(lists)],
  );
  const entries: CallListEntryEntity[] = [];
  for (const { total, position: first, ...list } of insertions) {
    // Later callers found the callee busy, and their calls are listed already: those entries move up by one position.
    const newer = first < total ? await callsFrom(em, list, first) : [];
    entries.push(...[id, ...newer].map((call_id, index) => ({ ...list, position: first + index, call_id })));
  }
  await em.upsert(CallListEntryEntity, entries, [...KEY, 'position']);
}

async function callsFrom(em: EntityManager, list: ListKey, position: number): Promise<number[]> {
  const rows = await em.query<{ call_id: number }[]>(
    `SELECT l.call_id FROM call_list_entries l WHERE ${THIS_LIST} AND l.position >= ? ORDER BY l.position`,
    [...KEY.map((column) => list[column]), position],
  );
  return rows.map(({ call_id }) => call_id);
}

/** Returns the user's lists of the given kinds that contain a call with this peer, in key order. */
const listsOf = (userId: UserId, peerId: UserId, kinds: ListKind[], media: MediaType): ListKey[] =>
  [ANYBODY, peerId].flatMap((peer_id) =>
    kinds.flatMap((kind) => [
      { user_id: userId, peer_id, kind, media_type: ANY },
      { user_id: userId, peer_id, kind, media_type: media },
    ]),
  );

/** Increments the lengths of lists, which locks them: lower user ids first, so that transactions do not deadlock. */
async function incrementLengths(em: EntityManager, lists: ListKey[]): Promise<void> {
  const inOrder = lists.toSorted((a, b) => a.user_id - b.user_id);
  await em.query(
    `INSERT INTO call_lists (${KEY.join(', ')}, total) VALUES ${tuples(lists, `${placeholders(KEY)}, 1`)}
     ${onConflictUpdate(em, KEY, 'total = total + 1')}`,
    parametersOf(inOrder),
  );
}

const among = (lists: ListKey[]): string => lists.map(() => `(${THIS_LIST})`).join(' OR ');

const parametersOf = (lists: ListKey[]): unknown[] =>
  lists.flatMap((list) => KEY.map((column) => list[column]));

/** Returns which of the users `ids` (at least one) have ever called the user. */
export async function callersOf(
  em: EntityManager,
  userId: number,
  ids: readonly number[],
): Promise<number[]> {
  const rows = await em.query<{ peer_id: number | string }[]>(
    `SELECT DISTINCT peer_id FROM call_lists
     WHERE user_id = ? AND peer_id IN (${placeholders(ids)}) AND kind = 'incoming'`,
    [userId, ...ids],
  );
  return rows.map(({ peer_id }) => Number(peer_id));
}
