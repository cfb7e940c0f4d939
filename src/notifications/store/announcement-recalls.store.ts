import type { EntityManager } from 'typeorm';
import { toSqlTimestamp } from '../../database/sql/dialect';
import { deleteRows, insertRows, updateRows } from '../../database/sql/statements';
import { AnnouncementReachEntity, AnnouncementRecallEntity } from '../entities/announcement.entity';
import type { Claim } from './announcement-leases.store';

/* Recalled announcements that may still be in inboxes. */

/** Inserts a recall to be processed. */
export async function insertRecall(em: EntityManager, announcementId: number, now: Date): Promise<void> {
  await insertRows(em, AnnouncementRecallEntity, [{ announcement_id: announcementId, claimed_until: now }]);
}

/** Returns the oldest recall that no instance has claimed, by its announcement id. */
export async function nextRecall(em: EntityManager, now: Date): Promise<number | undefined> {
  const [row] = await em.query<{ announcement_id: number }[]>(
    'SELECT announcement_id FROM announcement_recalls WHERE claimed_until <= ? ORDER BY announcement_id LIMIT 1',
    [toSqlTimestamp(em, now)],
  );
  return row?.announcement_id;
}

/**
 * Deletes a recall whose announcement is in no inbox any more, unless another instance has claimed it. Resets the
 * reach, and the claim on it, so that a count which started earlier is not stored.
 */
export async function closeRecall(em: EntityManager, { id, until }: Claim, now: Date): Promise<void> {
  const deleted = await deleteRows(em, AnnouncementRecallEntity, {
    announcement_id: id,
    claimed_until: until,
  });
  if (deleted === 0) return;
  const emptyReach = { delivered: 0, read_count: 0, counted_at: now, claimed_until: now };
  await updateRows(em, AnnouncementReachEntity, { announcement_id: id }, emptyReach);
}

/** A notification of an announcement. */
export interface NotificationRef {
  id: number;
  user_id: number;
}

/** Returns at most `limit` notifications of an announcement with ids above `after`, by ascending id. */
export const copiesOf = (em: EntityManager, announcementId: number, after: number, limit: number) =>
  em.query<NotificationRef[]>(
    'SELECT id, user_id FROM notifications WHERE announcement_id = ? AND id > ? ORDER BY id LIMIT ?',
    [announcementId, after, limit],
  );
