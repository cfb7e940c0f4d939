import { type EntityManager, In, LessThanOrEqual, MoreThan, Not } from 'typeorm';
import { BusinessError } from '../../common/errors/business-error';
import type { Slice } from '../../common/http/page';
import { lockingShared } from '../../database/sql/dialect';
import { deleteRows, findRows, insertRows, updateRows } from '../../database/sql/statements';
import { RefreshTokenEntity } from '../entities/refresh-token.entity';
import { SessionEntity } from '../entities/session.entity';

/* Statements on sessions and their refresh tokens. */

/** Columns of a session that are read to authenticate a token. */
const OWNER_COLUMNS = ['id', 'user_id', 'expires_at'] as const;

export type SessionOwner = Pick<SessionEntity, (typeof OWNER_COLUMNS)[number]>;

export async function insertSession(em: EntityManager, session: SessionEntity): Promise<void> {
  await insertRows(em, SessionEntity, [session]);
}

/** Updates a session and returns whether it still exists. */
export const updateSession = async (
  em: EntityManager,
  id: string,
  changes: Partial<SessionEntity>,
): Promise<boolean> => (await updateRows(em, SessionEntity, { id }, changes)) === 1;

/** Returns the owners and the expiry of sessions. */
export const sessionOwners = (em: EntityManager, ids: string[]): Promise<SessionOwner[]> =>
  findRows(em, SessionEntity, { id: ids }, OWNER_COLUMNS);

const activeOf = (user_id: number | undefined, now: Date) => ({
  ...(user_id !== undefined && { user_id }),
  expires_at: MoreThan(now),
});

/** Counts the active sessions of a user, or of all users. */
export const countActiveSessions = (
  em: EntityManager,
  user_id: number | undefined,
  now: Date,
): Promise<number> => em.countBy(SessionEntity, activeOf(user_id, now));

/** Returns a slice of the active sessions of a user, or of all users, most recently used first. */
export const activeSessions = (
  em: EntityManager,
  user_id: number | undefined,
  now: Date,
  { offset, limit }: Slice,
): Promise<SessionEntity[]> =>
  em.find(SessionEntity, {
    where: activeOf(user_id, now),
    // Both descending, so that the index is scanned backwards and nothing is sorted, however many rows there are.
    order: { last_used_at: 'DESC', id: 'DESC' },
    skip: offset,
    take: limit,
  });

/** Deletes one session of a user and returns whether it existed. */
export const deleteSession = async (em: EntityManager, user_id: number, id: string): Promise<boolean> =>
  (await deleteRows(em, SessionEntity, { id, user_id })) === 1;

/**
 * Deletes all sessions of users except `exceptId` and returns their number. The caller must remove the users from the
 * cache of `TokenAuthenticator` after the commit.
 */
export async function deleteSessionsOf(
  em: EntityManager,
  userIds: readonly number[],
  exceptId?: string,
): Promise<number> {
  const where = { user_id: In(userIds), ...(exceptId !== undefined && { id: Not(exceptId) }) };
  return (await em.delete(SessionEntity, where)).affected ?? 0;
}

/** Deletes at most `limit` sessions that an API key opened, and returns the ids of their users. */
export async function deleteSessionsOfKey(
  em: EntityManager,
  keyId: number,
  limit: number,
): Promise<number[]> {
  const rows = await em.query<{ id: string; user_id: number | string }[]>(
    'SELECT id, user_id FROM sessions WHERE api_key_id = ? LIMIT ?',
    [keyId, limit],
  );
  if (rows.length > 0) await deleteRows(em, SessionEntity, { id: rows.map(({ id }) => id) });
  return rows.map(({ user_id }) => Number(user_id));
}

/**
 * Locks the row of an API key in share mode, so that no session of the key is opened while a transaction revokes it.
 * The cached key is not enough: an instance caches it for nine seconds.
 * @throws {BusinessError} ADMIN_UNAUTHORIZED: the key was revoked
 */
export async function requireKey(em: EntityManager, keyId: number): Promise<void> {
  const rows = await em.query<object[]>(`SELECT id FROM api_keys WHERE id = ?${lockingShared(em)}`, [keyId]);
  if (rows.length === 0) throw new BusinessError('ADMIN_UNAUTHORIZED', { reason: 'api key unknown' });
}

/** Returns a refresh token and its session by the token's hash; null for each that does not exist. */
export async function tokenAndSession(
  em: EntityManager,
  hash: string,
): Promise<{ token: RefreshTokenEntity | null; session: SessionEntity | null }> {
  const token = await em.findOneBy(RefreshTokenEntity, { hash });
  const session = token && (await em.findOneBy(SessionEntity, { id: token.session_id }));
  return { token, session };
}

export async function insertToken(em: EntityManager, token: RefreshTokenEntity): Promise<void> {
  await insertRows(em, RefreshTokenEntity, [token]);
}

/** Marks a refresh token as used. Returns false if it was used before. */
export const useToken = async (em: EntityManager, hash: string, used_at: Date): Promise<boolean> =>
  (await updateRows(em, RefreshTokenEntity, { hash, used_at: null }, { used_at })) === 1;

/** Deletes the refresh token that replaced another one, which becomes valid again. */
export async function revertToken(em: EntityManager, hash: string, previousHash: string): Promise<void> {
  await deleteRows(em, RefreshTokenEntity, { hash });
  await updateRows(em, RefreshTokenEntity, { hash: previousHash }, { used_at: null });
}

/** Deletes a batch of expired refresh tokens and returns their number. */
export async function trimTokens(em: EntityManager, now: Date, take: number): Promise<number> {
  const where = { expires_at: LessThanOrEqual(now) };
  const expired = await em.find(RefreshTokenEntity, { select: { hash: true }, where, take });
  if (expired.length > 0) await em.delete(RefreshTokenEntity, { hash: In(expired.map(({ hash }) => hash)) });
  return expired.length;
}

/** Deletes a batch of expired sessions and returns their number. */
export async function trimSessions(em: EntityManager, now: Date, take: number): Promise<number> {
  const where = { expires_at: LessThanOrEqual(now) };
  const expired = await em.find(SessionEntity, { select: { id: true }, where, take });
  // A session may have been refreshed since it was read.
  if (expired.length > 0) await em.delete(SessionEntity, { id: In(expired.map(({ id }) => id)), ...where });
  return expired.length;
}
