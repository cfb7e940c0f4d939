import type { EntityManager } from 'typeorm';
import { type RawCount, toCount, toMoment } from '../../database/dialect';
import { affectedBy } from '../../database/rows';
import { ROOT_LEVEL } from '../rules/count-tree';
import type { Claim } from './announcement-leases';

/** How many notifications an announcement has become, and how many of them have been read. */
export interface Reach {
  delivered: number;
  read: number;
}

/** A part of a count, and the id behind which it goes on; none behind the last. */
type Part = Reach & { last: number | undefined };

/** Counts some of the notifications of an announcement; one without unread ones of its type has been read. */
export async function countSome(
  em: EntityManager,
  announcementId: number,
  after: number,
  most: number,
): Promise<Part> {
  const [row] = await em.query<{ delivered: RawCount; unread: RawCount; last: RawCount }[]>(
    `SELECT COUNT(*) AS delivered, SUM(c.epoch = n.unread_epoch) AS unread, MAX(n.id) AS last FROM
       (SELECT id, user_id, type, unread_epoch FROM notifications
        WHERE announcement_id = ? AND id > ? ORDER BY id LIMIT ?) n
     LEFT JOIN notification_counts c
       ON c.user_id = n.user_id AND c.level = ${ROOT_LEVEL} AND c.block = 0 AND c.type = n.type`,
    [announcementId, after, most],
  );
  const delivered = toCount(row?.delivered);
  const last = delivered < most ? undefined : toCount(row?.last);
  return { delivered, read: delivered - toCount(row?.unread), last };
}

/** Whether a count that was begun before `stale` is the last there is, and nobody counts. */
export async function claimStale(
  em: EntityManager,
  { id, until }: Claim,
  { now, stale }: { now: Date; stale: Date },
): Promise<boolean> {
  const sql = `UPDATE announcement_reaches SET claimed_until = ?
    WHERE announcement_id = ? AND claimed_until <= ? AND (counted_at IS NULL OR counted_at <= ?)`;
  const [to, at, before] = [until, now, stale].map((moment) => toMoment(em, moment));
  return (await affectedBy(em, sql, [to, id, at, before])) === 1;
}

/** Keeps what was counted, unless somebody else counts by now. */
export async function keepReach(
  em: EntityManager,
  { id, until }: Claim,
  { delivered, read }: Reach,
  now: Date,
): Promise<void> {
  const at = toMoment(em, now);
  await affectedBy(
    em,
    `UPDATE announcement_reaches SET delivered = ?, read_count = ?, counted_at = ?, claimed_until = ?
     WHERE announcement_id = ? AND claimed_until = ?`,
    [delivered, read, at, at, id, toMoment(em, until)],
  );
}
