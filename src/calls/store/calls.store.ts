import { type EntityManager, LessThanOrEqual } from 'typeorm';
import type { CallId, UserId } from '../../common/ids';
import { type RawCount, type RawTimestamp, toCount, toDate } from '../../database/sql/dialect';
import {
  deleteRows,
  findRows,
  insertRows,
  lockRows,
  updateRows,
  type Where,
} from '../../database/sql/statements';
import { pipeline } from '../../database/transaction-statements';
import { ActiveCallParticipantEntity } from '../entities/active-call-participant.entity';
import { CallEntity } from '../entities/call.entity';
import { isMissed } from '../rules/call-outcome.rules';
import { countCall, insertPositions } from './call-lists.store';

/* Statements on calls, on their positions in lists, and on the participants of unfinished calls. */

/** Returns the calls with these ids, in no particular order. Unknown ids are missing. */
export const callsByIds = async (em: EntityManager, ids: readonly CallId[]): Promise<CallEntity[]> =>
  ids.length === 0 ? [] : findRows(em, CallEntity, { id: ids });

/** Returns the call that a request of the caller created; undefined if there is none. */
export async function callByRequest(
  em: EntityManager,
  caller_id: UserId,
  request_id: string,
): Promise<CallEntity | undefined> {
  const [call] = await findRows(em, CallEntity, { caller_id, request_id });
  return call;
}

/** Returns the id of the call with a media channel; undefined if there is none. */
export async function callIdOfChannel(em: EntityManager, channel_name: string): Promise<CallId | undefined> {
  const [call] = await findRows(em, CallEntity, { channel_name }, ['id']);
  return call?.id;
}

/** Locks the row of an existing call until the transaction ends, and returns it. */
export async function lockCall(em: EntityManager, id: CallId): Promise<CallEntity> {
  const [call] = await lockRows(em, CallEntity, { id });
  return call as CallEntity;
}

/** Returns at most `take` calls whose deadline has passed, the most overdue first. */
export const dueCalls = (em: EntityManager, now: Date, take: number): Promise<CallEntity[]> =>
  em.find(CallEntity, {
    where: { deadline_at: LessThanOrEqual(now) },
    order: { deadline_at: 'ASC' },
    take,
  });

/** Counts the unfinished calls and returns their earliest deadline; undefined if there is none. */
export async function deadlineFigures(
  em: EntityManager,
): Promise<{ unfinished: number; earliest: Date | undefined }> {
  // Reads the deadline index alone: a call has a deadline exactly while it is unfinished.
  const [row] = await em.query<{ unfinished: RawCount; earliest: RawTimestamp | null }[]>(
    `SELECT COUNT(*) AS unfinished, MIN(deadline_at) AS earliest FROM calls WHERE deadline_at IS NOT NULL`,
  );
  return { unfinished: toCount(row?.unfinished), earliest: row?.earliest ? toDate(row.earliest) : undefined };
}

/** Inserts a call, and its positions in the lists of both users. */
export async function insertCall(em: EntityManager, call: Omit<CallEntity, 'id'>): Promise<CallEntity> {
  const missed = isMissed(call);
  // The lists are locked first, so that ids are assigned in the order of positions.
  const counted = countCall(em, call, missed);
  const [id] = await Promise.all([insertRows(em, CallEntity, [call]), counted]);
  const inserted = { ...call, id: id as CallId };
  pipeline(em, insertPositions(em, inserted, missed));
  return inserted;
}

/** Updates the calls that match and returns whether there was one. */
export const updateCall = async (
  em: EntityManager,
  where: Where<CallEntity>,
  changes: Partial<CallEntity>,
): Promise<boolean> => (await updateRows<CallEntity>(em, CallEntity, where, changes)) > 0;

/** Returns those of the users that are in an unfinished call, with the call. */
export const activeParticipants = (
  em: EntityManager,
  userIds: readonly UserId[],
): Promise<ActiveCallParticipantEntity[]> => findRows(em, ActiveCallParticipantEntity, { user_id: userIds });

/** Marks both users as being in a call. Violates the primary key if one is in another call. */
export async function insertParticipants(
  em: EntityManager,
  { id, caller_id, callee_id }: CallEntity,
): Promise<void> {
  // Lower user id first: simultaneous calls between the same two users then wait for each other instead of
  // deadlocking.
  const userIds = [caller_id, callee_id].toSorted((a, b) => a - b);
  await insertRows(
    em,
    ActiveCallParticipantEntity,
    userIds.map((user_id) => ({ user_id, call_id: id })),
  );
}

/** Releases both users of a finished call. */
export async function deleteParticipants(
  em: EntityManager,
  { id, caller_id, callee_id }: CallEntity,
): Promise<void> {
  await deleteRows(em, ActiveCallParticipantEntity, { user_id: [caller_id, callee_id], call_id: id });
}
