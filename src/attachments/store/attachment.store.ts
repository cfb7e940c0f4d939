import type { EntityManager } from 'typeorm';
import type { UserId } from '../../common/ids';
import { insertIgnore, toSqlTimestamp } from '../../database/sql/dialect';
import {
  affectedBy,
  deleteRows,
  findRows,
  insertRows,
  queryRows,
  updateRows,
} from '../../database/sql/statements';
import { AttachmentEntity, type AttachmentStatus } from '../entities/attachment.entity';

/** Inserts an attachment and returns its id. */
export const insertAttachment = (em: EntityManager, row: Omit<AttachmentEntity, 'id'>): Promise<number> =>
  insertRows(em, AttachmentEntity, [row]);

export async function attachmentById(em: EntityManager, id: number): Promise<AttachmentEntity | undefined> {
  const [attachment] = await findRows(em, AttachmentEntity, { id });
  return attachment;
}

/**
 * Changes the status of an attachment that is not in use.
 * @returns false if another transaction has changed or deleted it
 */
export async function changeStatus(
  em: EntityManager,
  id: number,
  from: AttachmentStatus,
  to: { status: AttachmentStatus; sweep_at: Date },
): Promise<boolean> {
  return (await updateRows(em, AttachmentEntity, { id, status: from, use_count: 0 }, to)) === 1;
}

/** Deletes the row of an attachment, and subtracts its size from its user's sum. */
export async function deleteAttachment(
  em: EntityManager,
  { id, user_id, stored_bytes }: AttachmentEntity,
): Promise<void> {
  if ((await deleteRows(em, AttachmentEntity, { id })) === 0) return;
  await em.query('UPDATE attachment_usage SET bytes = bytes - ? WHERE user_id = ?', [stored_bytes, user_id]);
}

/** Subtracts the size of an attachment that was never ready from its user's sum. The sweep deletes it from now on. */
export async function releaseBytes(
  em: EntityManager,
  { id, user_id, stored_bytes }: AttachmentEntity,
  now: Date,
): Promise<void> {
  const released = { stored_bytes: 0, sweep_at: now };
  if ((await updateRows(em, AttachmentEntity, { id, status: 'uploading' }, released)) === 0) return;
  await em.query('UPDATE attachment_usage SET bytes = bytes - ? WHERE user_id = ?', [stored_bytes, user_id]);
}

/**
 * Adds to the sum of a user in one conditional statement, so that parallel uploads cannot exceed the quota together.
 * @param quota in bytes; 0: no limit
 * @returns false if the sum would exceed the quota
 */
export async function reserveBytes(
  em: EntityManager,
  userId: UserId,
  bytes: number,
  quota: number,
): Promise<boolean> {
  await em.query(`${insertIgnore(em)} INTO attachment_usage (user_id, bytes) VALUES (?, 0)`, [userId]);
  const limit = quota === 0 ? Number.MAX_SAFE_INTEGER : quota;
  const changed = await affectedBy(
    em,
    'UPDATE attachment_usage SET bytes = bytes + ? WHERE user_id = ? AND bytes + ? <= ?',
    [bytes, userId, bytes, limit],
  );
  return changed === 1;
}

/** Returns attachments that are not in use and may be deleted: an index range, in no particular order. */
export const sweepable = (em: EntityManager, now: Date, limit: number): Promise<AttachmentEntity[]> =>
  queryRows(
    em,
    AttachmentEntity,
    `SELECT * FROM attachments WHERE status IN ('uploading', 'ready', 'deleted') AND use_count = 0 AND sweep_at <= ?
     LIMIT ?`,
    [toSqlTimestamp(em, now), limit],
  );
