import type { EntityManager } from 'typeorm';
import {
  lockingEnd,
  lockingShared,
  placeholders,
  type RawCount,
  type RawMoment,
  toCount,
  toDate,
  tupleList,
} from '../../database/dialect';
import { BusinessError } from '../../common/errors/business-error';
import type { Slice } from '../../common/http/page';
import type { User } from '../../identity/users.service';
import type { Pair } from '../acquaintances';
import type { Found } from '../directory/directory.queries';

/*
 * Who has blocked whom. Modules that read something about two users anyway ask with the same statement, by
 * `blockedBetween`: a look-up by the primary key each way.
 */

/**
 * As SQL: whether either of two users has blocked the other, 1 or 0. What names them stands twice each, in the order
 * `a`, `b`, `b`, `a`.
 */
export const blockedBetween = (a: string, b: string): string =>
  `(EXISTS (SELECT 1 FROM user_blocks x WHERE x.user_id = ${a} AND x.blocked_id = ${b})
    OR EXISTS (SELECT 1 FROM user_blocks y WHERE y.user_id = ${b} AND y.blocked_id = ${a}))`;

/**
 * Refuses what two users in a single chat do not do while either has blocked the other. One statement; none in a group.
 * Sends ask along with what they read anyway (`blockedBetween`).
 * @param em reads within the transaction that acts, so that what begins after a block never lands
 * @param peerId the other one; null in a group, where blocks do not count
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

/** For each of some pairs, in their order, whether either has blocked the other. */
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

/** Those of some ids that are users' and not behind a block, as seen by one user. */
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
  created_at: RawMoment;
  blocked: number;
}

/**
 * Two users who may be about to call each other, those that exist, and whether either has blocked the other. Locks their
 * rows in share mode: a transaction that disables one of them, and ends that user's calls, comes before or after.
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

/** How a user stands to another whom it blocks or no longer does. */
export interface BlockState {
  /** Whether there is such a user. */
  isKnown: boolean;
  isBlocked: boolean;
  /** How many the user has blocked. */
  count: number;
}

/** The state, after everybody who is changing what the user has blocked, and before anybody else. */
export async function holdBlocks(em: EntityManager, userId: number, otherId: number): Promise<BlockState> {
  await em.query(`SELECT id FROM users WHERE id = ?${lockingEnd(em)}`, [userId]);
  const [row] = await em.query<{ known: number; blocked: number; n: RawCount }[]>(
    `SELECT EXISTS (SELECT 1 FROM users WHERE id = ?) AS known,
       EXISTS (SELECT 1 FROM user_blocks WHERE user_id = ? AND blocked_id = ?) AS blocked,
       (SELECT COUNT(*) FROM user_blocks WHERE user_id = ?) AS n`,
    [otherId, userId, otherId, userId],
  );
  return { isKnown: Boolean(row?.known), isBlocked: Boolean(row?.blocked), count: toCount(row?.n) };
}

/** A user whom another has blocked. */
export interface BlockedUser extends Found {
  blocked_at: Date;
}

/** How many a user has blocked, and some of them, the newest first. */
export async function blockedBy(
  em: EntityManager,
  userId: number,
  { offset, limit }: Slice,
): Promise<{ count: number; users: BlockedUser[] }> {
  const [row] = await em.query<{ n: RawCount }[]>('SELECT COUNT(*) AS n FROM user_blocks WHERE user_id = ?', [
    userId,
  ]);
  const rows = await em.query<(Found & { blocked_at: RawMoment })[]>(
    `SELECT u.id, u.name, u.avatar, b.blocked_at FROM user_blocks b JOIN users u ON u.id = b.blocked_id
     WHERE b.user_id = ? ORDER BY b.blocked_at DESC, b.blocked_id DESC LIMIT ? OFFSET ?`,
    [userId, limit, offset],
  );
  const users = rows.map(({ blocked_at, ...user }) => ({ ...user, blocked_at: toDate(blocked_at) }));
  return { count: toCount(row?.n), users };
}
