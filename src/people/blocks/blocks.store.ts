import type { EntityManager } from 'typeorm';
import {
  lockingEnd,
  lockingShared,
  placeholders,
  type RawCount,
  type RawTimestamp,
  toCount,
  toDate,
  tupleList,
} from '../../database/sql/dialect';
import { deleteRows, insertRows } from '../../database/sql/statements';
import { BusinessError } from '../../common/errors/business-error';
import { UserBlockEntity } from '../entities/user-block.entity';
import type { Slice } from '../../common/http/page';
import type { User } from '../../identity/users.service';
import type { Pair } from '../contact-graph';
import type { BlockedPersonResponse, PersonResponse } from '../dto/person.dto';

/*
 * Reads blocks between users. Modules that query two users anyway include `blockedBetween` in their statement: one
 * look-up by primary key in each direction.
 */

/**
 * SQL expression: 1 if either of two users has blocked the other, otherwise 0. The parameters of `a` and `b` occur in
 * the order `a`, `b`, `b`, `a`.
 */
export const blockedBetween = (a: string, b: string): string =>
  `(EXISTS (SELECT 1 FROM user_blocks x WHERE x.user_id = ${a} AND x.blocked_id = ${b})
    OR EXISTS (SELECT 1 FROM user_blocks y WHERE y.user_id = ${b} AND y.blocked_id = ${a}))`;

/**
 * Rejects an action between two users of a single chat if either has blocked the other. Runs one statement, and none in
 * a group. Sending a message does not call this: it includes `blockedBetween` in its own statement.
 * @param em reads in the transaction of the action, so that no action that starts after a block is committed
 * @param peerId the other user; null in a group, where blocks have no effect
 * @throws {BusinessError} NOT_ALLOWED
 */
export async function assertNotBlocked(
  em: EntityManager,
  userId: number,
  peerId: number | null,
): Promise<void> {
  if (peerId === null) return;
  const [row] = await em.query<{ blocked: number }[]>(`SELECT ${blockedBetween('?', '?')} AS blocked`, [
    userId,
    peerId,
    peerId,
    userId,
  ]);
  if (row?.blocked) throw new BusinessError('NOT_ALLOWED');
}

/** Returns, per pair and in the same order, whether either user has blocked the other. */
export async function areBlocked(em: EntityManager, pairs: readonly Pair[]): Promise<boolean[]> {
  if (pairs.length === 0) return [];
  const both = pairs.flatMap(({ userId, otherId }) => [
    [userId, otherId],
    [otherId, userId],
  ]);
  const rows = await em.query<{ user_id: number; blocked_id: number }[]>(
    `SELECT user_id, blocked_id FROM user_blocks WHERE (user_id, blocked_id) IN ${tupleList(em, both, '?, ?')}`,
    both.flat(),
  );
  const blocked = new Set(rows.map(({ user_id, blocked_id }) => `${user_id}:${blocked_id}`));
  return pairs.map(
    ({ userId, otherId }) => blocked.has(`${userId}:${otherId}`) || blocked.has(`${otherId}:${userId}`),
  );
}

/** Returns those of `ids` that exist and have no block with the user, in either direction. */
export async function reachableAmong(em: EntityManager, userId: number, ids: number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await em.query<{ id: number }[]>(
    `SELECT u.id FROM users u WHERE u.id IN (${placeholders(ids)}) AND NOT ${blockedBetween('?', 'u.id')}`,
    [...ids, userId, userId],
  );
  return new Set(rows.map(({ id }) => id));
}

interface CallPartyRow {
  id: number;
  name: string;
  avatar: string | null;
  status: number;
  created_at: RawTimestamp;
  blocked: number;
}

/**
 * Returns caller and callee, as far as they exist, and whether either has blocked the other. Locks their rows in share
 * mode: a transaction that disables one of them and ends that user's calls commits before or after.
 */
export async function callParties(
  em: EntityManager,
  callerId: number,
  calleeId: number,
): Promise<{ users: Map<number, User>; isBlocked: boolean }> {
  const rows = await em.query<CallPartyRow[]>(
    `SELECT u.id, u.name, u.avatar, u.status, u.created_at, ${blockedBetween('?', '?')} AS blocked
     FROM users u WHERE u.id IN (?, ?)${lockingShared(em)}`,
    [callerId, calleeId, calleeId, callerId, callerId, calleeId],
  );
  const users = rows.map(({ id, name, avatar, status, created_at }): [number, User] => [
    id,
    { id, name, avatar, enabled: status === 1, createdAt: toDate(created_at) },
  ]);
  return { users: new Map(users), isBlocked: rows.some(({ blocked }) => blocked) };
}

/** Returns whether a user has blocked another one. */
export const hasBlocked = (em: EntityManager, user_id: number, blocked_id: number): Promise<boolean> =>
  em.existsBy(UserBlockEntity, { user_id, blocked_id });

/**
 * Locks the user's row, which serialises changes to the user's blocks.
 * @returns whether the other user exists and is blocked, and the number of users whom the user has blocked
 */
export async function lockBlocks(
  em: EntityManager,
  userId: number,
  otherId: number,
): Promise<{ isKnown: boolean; isBlocked: boolean; count: number }> {
  await em.query(`SELECT id FROM users WHERE id = ?${lockingEnd(em)}`, [userId]);
  const [row] = await em.query<{ known: number; blocked: number; n: RawCount }[]>(
    `SELECT EXISTS (SELECT 1 FROM users WHERE id = ?) AS known,
       EXISTS (SELECT 1 FROM user_blocks WHERE user_id = ? AND blocked_id = ?) AS blocked,
       (SELECT COUNT(*) FROM user_blocks WHERE user_id = ?) AS n`,
    [otherId, userId, otherId, userId],
  );
  return { isKnown: Boolean(row?.known), isBlocked: Boolean(row?.blocked), count: toCount(row?.n) };
}

/** Returns the number of users whom a user has blocked, and one page of them, newest block first. */
export async function blockedBy(
  em: EntityManager,
  userId: number,
  { offset, limit }: Slice,
): Promise<{ count: number; users: BlockedPersonResponse[] }> {
  const [row] = await em.query<{ n: RawCount }[]>('SELECT COUNT(*) AS n FROM user_blocks WHERE user_id = ?', [
    userId,
  ]);
  const rows = await em.query<(PersonResponse & { blocked_at: RawTimestamp })[]>(
    `SELECT u.id, u.name, u.avatar, b.blocked_at FROM user_blocks b JOIN users u ON u.id = b.blocked_id
     WHERE b.user_id = ? ORDER BY b.blocked_at DESC, b.blocked_id DESC LIMIT ? OFFSET ?`,
    [userId, limit, offset],
  );
  const users = rows.map(({ blocked_at, ...user }) => ({ ...user, blocked_at: toDate(blocked_at) }));
  return { count: toCount(row?.n), users };
}

export async function insertBlock(em: EntityManager, block: UserBlockEntity): Promise<void> {
  await insertRows(em, UserBlockEntity, [block]);
}

export async function deleteBlock(em: EntityManager, user_id: number, blocked_id: number): Promise<void> {
  await deleteRows(em, UserBlockEntity, { user_id, blocked_id });
}
