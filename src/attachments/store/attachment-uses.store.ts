import type { EntityManager } from 'typeorm';
import { forcePrimaryKey, placeholders } from '../../database/sql/dialect';
import { lockRows } from '../../database/sql/statements';
import { AttachmentEntity } from '../entities/attachment.entity';

/* Uses of attachments by messages, in the transaction that writes or recalls the message. */

/** A locked attachment that can be used. */
export type LockedAttachment = Readonly<AttachmentEntity>;

/**
 * Locks attachments in the order of their ids until the transaction ends, and returns those that can be used. The sweep
 * cannot delete them meanwhile.
 */
export async function lockReady(
  em: EntityManager,
  ids: readonly number[],
): Promise<Map<number, LockedAttachment>> {
  if (ids.length === 0) return new Map();
  const rows = await lockRows(em, AttachmentEntity, { id: [...ids] }, 'id');
  return new Map(rows.filter(({ status }) => status === 'ready').map((row) => [row.id, row]));
}

/** Adds uses: an id that occurs several times is used several times. The caller has locked the rows. */
export async function addUses(em: EntityManager, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const uses = [...countsOf(ids)];
  await em.query(
    `UPDATE attachments ${forcePrimaryKey(em)}
     SET use_count = use_count + CASE id ${uses.map(() => 'WHEN ? THEN ?').join(' ')} ELSE 0 END
     WHERE id IN (${placeholders(uses)})`,
    [...uses.flat(), ...uses.map(([id]) => id)],
  );
}

/** Removes uses. Attachments without further uses may be deleted from now on. Locks the rows in order. */
export async function removeUses(em: EntityManager, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const uses = [...countsOf(ids)];
  await lockRows(em, AttachmentEntity, { id: uses.map(([id]) => id) }, 'id');
  // MySQL assigns from left to right, so the count is changed last.
  const removed = `CASE id ${uses.map(() => 'WHEN ? THEN ?').join(' ')} ELSE 0 END`;
  await em.query(
    `UPDATE attachments ${forcePrimaryKey(em)}
     SET sweep_at = CASE WHEN use_count <= ${removed} THEN created_at ELSE sweep_at END, use_count = use_count - ${removed}
     WHERE id IN (${placeholders(uses)})`,
    [...uses.flat(), ...uses.flat(), ...uses.map(([id]) => id)],
  );
}

/** Returns the ids in ascending order, each with its number of occurrences. */
function countsOf(ids: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const id of ids.toSorted((a, b) => a - b)) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}
