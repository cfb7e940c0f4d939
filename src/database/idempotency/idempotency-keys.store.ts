import { type DataSource, type EntityManager, LessThan, LessThanOrEqual } from 'typeorm';
import { isUniqueViolation } from '../errors';
import { findRows, insertRows, updateRows } from '../sql/statements';
import type { IdempotencyRecord } from './idempotency-record';
import { IdempotencyKeyEntity } from './idempotency-key.entity';

const keyOf = ({ owner, key, route }: IdempotencyRecord) => ({ owner, idempotency_key: key, route });

/**
 * Reserves the idempotency key of a request in the transaction that creates its object. Waits for another transaction
 * that has inserted the key and is not committed yet.
 * @returns false if the key is already used
 */
export async function reserveKey(
  em: EntityManager,
  idempotency: IdempotencyRecord,
  { body_hash, created_at }: Pick<IdempotencyKeyEntity, 'body_hash' | 'created_at'>,
): Promise<boolean> {
  try {
    await insertRows(em, IdempotencyKeyEntity, [
      { ...keyOf(idempotency), body_hash, object_id: 0, created_at },
    ]);
    return true;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

/** Stores the id of the created object with a reserved key. */
export async function completeKey(
  em: EntityManager,
  idempotency: IdempotencyRecord,
  objectId: number,
): Promise<void> {
  await updateRows(em, IdempotencyKeyEntity, keyOf(idempotency), { object_id: objectId });
}

/** Returns the record of a completed request with this key; undefined if there is none. */
export async function findCompleted(
  em: EntityManager,
  idempotency: IdempotencyRecord,
): Promise<IdempotencyKeyEntity | undefined> {
  const [row] = await findRows(em, IdempotencyKeyEntity, keyOf(idempotency));
  return row;
}

/**
 * Deletes one batch of the keys created before `before`. A batch may be larger than `batch`, if keys have the same
 * time.
 * @returns whether more may be left
 */
export async function trimKeys({ manager }: DataSource, before: Date, batch: number): Promise<boolean> {
  // Deletes by time alone, which has an index: all keys created in the same millisecond are deleted together.
  const [last] = await manager.find(IdempotencyKeyEntity, {
    select: { created_at: true },
    where: { created_at: LessThan(before) },
    order: { created_at: 'ASC' },
    skip: batch - 1,
    take: 1,
  });
  const expired = last === undefined ? LessThan(before) : LessThanOrEqual(last.created_at);
  await manager.delete(IdempotencyKeyEntity, { created_at: expired });
  return last !== undefined;
}
