import { type DataSource, type EntityManager, LessThan, LessThanOrEqual } from 'typeorm';
import { isUniqueViolation } from '../errors';
import { findRows, insertRows, updateRows } from '../rows';
import type { Creation } from './creation';
import { CreationKeyEntity } from './creation-key.entity';

const keyOf = ({ owner, key, route }: Creation) => ({ owner, idempotency_key: key, route });

/**
 * Reserves the idempotency key of a request in the transaction that creates its object. Waits for another transaction
 * that has inserted the key and is not committed yet.
 * @returns false if the key is already used
 */
export async function takeKey(
  em: EntityManager,
  creation: Creation,
  { body_hash, created_at }: Pick<CreationKeyEntity, 'body_hash' | 'created_at'>,
): Promise<boolean> {
  try {
    await insertRows(em, CreationKeyEntity, [{ ...keyOf(creation), body_hash, object_id: 0, created_at }]);
    return true;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

/** Stores the id of the created object with a reserved key. */
export async function noteMade(em: EntityManager, creation: Creation, objectId: number): Promise<void> {
  await updateRows(em, CreationKeyEntity, keyOf(creation), { object_id: objectId });
}

/** Returns the record of a completed request with this key; undefined if there is none. */
export async function findMade(
  em: EntityManager,
  creation: Creation,
): Promise<CreationKeyEntity | undefined> {
  const [row] = await findRows(em, CreationKeyEntity, keyOf(creation));
  return row;
}

/**
 * Deletes one batch of the keys created before `before`. A batch may be larger than `batch`, if keys have the same
 * time.
 * @returns whether more may be left
 */
export async function trimKeys({ manager }: DataSource, before: Date, batch: number): Promise<boolean> {
  // Deletes by time alone, which has an index: all keys created in the same millisecond are deleted together.
  const [last] = await manager.find(CreationKeyEntity, {
    select: { created_at: true },
    where: { created_at: LessThan(before) },
    order: { created_at: 'ASC' },
    skip: batch - 1,
    take: 1,
  });
  const expired = last === undefined ? LessThan(before) : LessThanOrEqual(last.created_at);
  await manager.delete(CreationKeyEntity, { created_at: expired });
  return last !== undefined;
}
