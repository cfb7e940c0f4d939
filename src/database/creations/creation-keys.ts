import { type DataSource, type EntityManager, LessThan, LessThanOrEqual } from 'typeorm';
import { isUniqueViolation } from '../errors';
import { findRows, insertRows, updateRows } from '../rows';
import type { Creation } from './creation';
import { CreationKeyEntity } from './creation-key.entity';

const keyOf = ({ owner, key, route }: Creation) => ({ owner, idempotency_key: key, route });

/**
 * Takes the key of a creation within the transaction that makes what it asks for; waits for another one that has it.
 * @returns false when something was made under it
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

/** Notes what was made under a key that was taken. */
export async function noteMade(em: EntityManager, creation: Creation, objectId: number): Promise<void> {
  await updateRows(em, CreationKeyEntity, keyOf(creation), { object_id: objectId });
}

/** What was made under a key. */
export async function findMade(
  em: EntityManager,
  creation: Creation,
): Promise<CreationKeyEntity | undefined> {
  const [row] = await findRows(em, CreationKeyEntity, keyOf(creation));
  return row;
}

/** Deletes one batch of the keys from before a moment; answers whether more may be left. */
export async function trimKeys({ manager }: DataSource, before: Date, batch: number): Promise<boolean> {
  // By their time alone, which has an index: of keys made in the same moment all go.
  const [last] = await manager.find(CreationKeyEntity, {
    select: { created_at: true },
    where: { created_at: LessThan(before) },
    order: { created_at: 'ASC' },
    skip: batch - 1,
    take: 1,
  });
  const old = last === undefined ? LessThan(before) : LessThanOrEqual(last.created_at);
  await manager.delete(CreationKeyEntity, { created_at: old });
  return last !== undefined;
}
