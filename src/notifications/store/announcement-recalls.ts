import type { EntityManager } from 'typeorm';
import { toMoment } from '../../database/dialect';
import { deleteRows, insertRows, updateRows } from '../../database/rows';
import { AnnouncementReachEntity, AnnouncementRecallEntity } from '../entities/announcement.entity';
import type { Claim } from './announcement-leases';

/* Announcements that were recalled and may still be in inboxes. */

/** Notes one, to be taken out of them. */
export async function noteRecall(em: EntityManager, announcementId: number, now: Date): Promise<void> {
  await insertRows(em, AnnouncementRecallEntity, [{ announcement_id: announcementId, claimed_until: now }]);
}

/** One that nobody works on, if there is any. */
export async function nextRecall(em: EntityManager, now: Date): Promise<number | undefined> {
  const [row] = await em.query<{ announcement_id: number }[]>(
    'SELECT announcement_id FROM announcement_recalls WHERE claimed_until <= ? ORDER BY announcement_id LIMIT 1',
    [toMoment(em, now)],
  );
  return row?.announcement_id;
}

/** It is in no inbox any more, whatever somebody has begun to count before; unless somebody else works on it by now. */
export async function closeRecall(em: EntityManager, { id, until }: Claim, now: Date): Promise<void> {
  const isOurs = await deleteRows(em, AnnouncementRecallEntity, {
    announcement_id: id,
    claimed_until: until,
  });
  if (isOurs === 0) return;
  const nothing = { delivered: 0, read_count: 0, counted_at: now, claimed_until: now };
  await updateRows(em, AnnouncementReachEntity, { announcement_id: id }, nothing);
}

/** A notification of an announcement. */
export interface Copy {
  id: number;
  user_id: number;
}

/** Some of the notifications that an announcement has become, in the order of their ids. */
export const copiesOf = (em: EntityManager, announcementId: number, after: number, most: number) =>
  em.query<Copy[]>(
    'SELECT id, user_id FROM notifications WHERE announcement_id = ? AND id > ? ORDER BY id LIMIT ?',
    [announcementId, after, most],
  );
