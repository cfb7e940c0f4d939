import type { EntityManager } from 'typeorm';
import { BusinessError } from '../../common/errors/business-error';
import { lockingShared } from '../../database/sql/dialect';
import { deleteRows } from '../../database/sql/statements';
import { SessionEntity } from '../entities/session.entity';

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
