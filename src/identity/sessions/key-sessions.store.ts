import type { EntityManager } from 'typeorm';
import { BusinessError } from '../../common/errors/business-error';
import { lockingShared } from '../../database/sql/dialect';
import { deleteRows } from '../../database/sql/statements';
import { SessionEntity } from '../entities/session.entity';

/** Returns the ids of the users for whom an API key has opened sessions that have not ended. */
export async function usersWithSessionsOf(em: EntityManager, keyId: number): Promise<number[]> {
  const rows = await em.query<{ user_id: number | string }[]>(
    'SELECT DISTINCT user_id FROM sessions WHERE api_key_id = ?',
    [keyId],
  );
  return rows.map(({ user_id }) => Number(user_id));
}

/** Deletes all sessions that an API key opened, and returns their number. */
export const deleteSessionsOfKey = (em: EntityManager, keyId: number): Promise<number> =>
  deleteRows(em, SessionEntity, { api_key_id: keyId });

/**
 * Locks the row of an API key in share mode, so that no session of the key is opened while a transaction revokes it.
 * The cached key is not enough: an instance caches it for nine seconds.
 * @throws {BusinessError} ADMIN_UNAUTHORIZED: the key was revoked
 */
export async function requireKey(em: EntityManager, keyId: number): Promise<void> {
  const rows = await em.query<object[]>(`SELECT id FROM api_keys WHERE id = ?${lockingShared(em)}`, [keyId]);
  if (rows.length === 0) throw new BusinessError('ADMIN_UNAUTHORIZED', { reason: 'api key unknown' });
}
