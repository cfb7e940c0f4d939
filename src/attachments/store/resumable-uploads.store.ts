import type { EntityManager } from 'typeorm';
import type { UserId } from '../../common/ids';
import { insertIgnore, type RawCount, toCount, toSqlTimestamp } from '../../database/sql/dialect';
import {
  affectedBy,
  deleteRows,
  findRows,
  insertRows,
  queryRows,
  updateRows,
} from '../../database/sql/statements';
import { ResumableUploadEntity } from '../entities/resumable-upload.entity';

export async function resumableUpload(
  em: EntityManager,
  id: string,
): Promise<ResumableUploadEntity | undefined> {
  const [upload] = await findRows(em, ResumableUploadEntity, { id });
  return upload;
}

export const insertResumableUpload = async (em: EntityManager, row: ResumableUploadEntity): Promise<void> =>
  void (await insertRows(em, ResumableUploadEntity, [row]));

/**
 * Returns the number of a user's uploads that are not complete, and the size that all files of the user would have with
 * them. Locks the user's sum until the transaction ends, so that parallel requests cannot exceed the quota together.
 */
export async function lockPendingUploads(
  em: EntityManager,
  userId: UserId,
): Promise<{ count: number; bytes: number }> {
  await em.query(`${insertIgnore(em)} INTO attachment_usage (user_id, bytes) VALUES (?, 0)`, [userId]);
  await em.query('UPDATE attachment_usage SET bytes = bytes WHERE user_id = ?', [userId]);
  const [row]: { count: RawCount; pending: RawCount; stored: RawCount }[] = await em.query(
    `SELECT COUNT(*) AS count, COALESCE(SUM(size), 0) AS pending,
       (SELECT bytes FROM attachment_usage WHERE user_id = ?) AS stored
     FROM resumable_uploads WHERE user_id = ? AND attachment_id IS NULL`,
    [userId, userId],
  );
  return { count: toCount(row?.count), bytes: toCount(row?.pending) + toCount(row?.stored) };
}

/** Takes the lock of an upload if it is free or void. */
export const takeLock = async (
  em: EntityManager,
  id: string,
  token: string,
  { now, until }: { now: Date; until: Date },
): Promise<boolean> =>
  (await affectedBy(
    em,
    `UPDATE resumable_uploads SET lock_token = ?, locked_until = ?, is_lock_wanted = ?
     WHERE id = ? AND (lock_token IS NULL OR locked_until < ?)`,
    [token, toSqlTimestamp(em, until), 0, id, toSqlTimestamp(em, now)],
  )) === 1;

/** Asks the request that has the lock to release it. Returns false if the upload does not exist. */
export const requestLock = async (em: EntityManager, id: string): Promise<boolean> =>
  (await updateRows(em, ResumableUploadEntity, { id }, { is_lock_wanted: true })) === 1;

/** Changes an upload whose lock the caller has. Returns false if the lock was lost, or the upload was deleted. */
export const changeLocked = async (
  em: EntityManager,
  { id, token }: { id: string; token: string | null },
  changes: Partial<ResumableUploadEntity>,
): Promise<boolean> =>
  (await updateRows(em, ResumableUploadEntity, { id, lock_token: token }, changes)) === 1;

export const deleteResumableUpload = (em: EntityManager, id: string): Promise<number> =>
  deleteRows(em, ResumableUploadEntity, { id });

/** Returns uploads that have expired: an index range, in no particular order. */
export const expiredUploads = (
  em: EntityManager,
  now: Date,
  limit: number,
): Promise<ResumableUploadEntity[]> =>
  queryRows(em, ResumableUploadEntity, 'SELECT * FROM resumable_uploads WHERE expires_at <= ? LIMIT ?', [
    toSqlTimestamp(em, now),
    limit,
  ]);
