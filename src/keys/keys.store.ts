import type { EntityManager } from 'typeorm';
import { BusinessError } from '../common/errors/business-error';
import type { Slice } from '../common/http/page';
import { toSqlTimestamp } from '../database/sql/dialect';
import { deleteRows, findRows, insertRows, lockRows, updateRows } from '../database/sql/statements';
import { ApiKeyEntity } from './entities/api-key.entity';

/** Inserts an API key and returns its id. */
export const insertKey = (em: EntityManager, row: Omit<ApiKeyEntity, 'id'>): Promise<number> =>
  insertRows(em, ApiKeyEntity, [row]);

/** @throws {BusinessError} KEY_NOT_FOUND */
export async function keyById(em: EntityManager, id: number): Promise<ApiKeyEntity> {
  const [key] = await findRows(em, ApiKeyEntity, { id });
  return existing(key);
}

/**
 * Locks the row of an API key until the transaction ends, and returns it.
 * @throws {BusinessError} KEY_NOT_FOUND
 */
export async function lockKey(em: EntityManager, id: number): Promise<ApiKeyEntity> {
  const [key] = await lockRows(em, ApiKeyEntity, { id });
  return existing(key);
}

/** Returns the API keys with these hashes. */
export const keysByHash = (em: EntityManager, hash: readonly string[]): Promise<ApiKeyEntity[]> =>
  findRows(em, ApiKeyEntity, { hash });

/** Returns a slice of the API keys, sorted by id, and the number of all. */
export const listKeys = (em: EntityManager, { offset, limit }: Slice): Promise<[ApiKeyEntity[], number]> =>
  em.findAndCount(ApiKeyEntity, { order: { id: 'ASC' }, skip: offset, take: limit });

export const updateKey = (em: EntityManager, id: number, changes: Partial<ApiKeyEntity>): Promise<number> =>
  updateRows(em, ApiKeyEntity, { id }, changes);

export const deleteKey = (em: EntityManager, id: number): Promise<number> =>
  deleteRows(em, ApiKeyEntity, { id });

/** Stores when an API key was last used, unless a later time is stored. */
export async function storeLastUse(em: EntityManager, id: number, usedAt: Date): Promise<void> {
  const at = toSqlTimestamp(em, usedAt);
  await em.query(
    'UPDATE api_keys SET last_used_at = ? WHERE id = ? AND (last_used_at IS NULL OR last_used_at < ?)',
    [at, id, at],
  );
}

function existing(key: ApiKeyEntity | undefined): ApiKeyEntity {
  if (key === undefined) throw new BusinessError('KEY_NOT_FOUND');
  return key;
}
