import type { EntityManager } from 'typeorm';
import { type RawCount, toCount, toSqlTimestamp } from '../../database/sql/dialect';
import { affectedBy } from '../../database/sql/statements';
import { ROOT_LEVEL } from '../rules/count-tree.rules';
import type { Claim } from './announcement-leases.store';

/** The number of notifications of an announcement, and how many of them have been read. */
export interface Reach {
  delivered: number;
  read: number;
}

/** The count of one batch, and the id after which the next batch starts; undefined: there is none. */
type BatchCount = Reach & { last: number | undefined };

/**
 * Counts at most `limit` notifications of an announcement. A notification is unread if its epoch is the current one of
 * its type; if its type has no root count, it counts as read.
 */
export async function countBatch(
  em: EntityManager,
  announcementId: number,
  after: number,
  limit: number,
): Promise<BatchCount> {
  const [row] = await em.query<{ delivered: RawCount; unread: RawCount; last: RawCount }[]>(
    `SELECT COUNT(*) AS delivered, SUM(c.epoch = n.unread_epoch) AS unread, MAX(n.id) AS last FROM
       (SELECT id, user_id, type, unread_epoch FROM notifications
        WHERE announcement_id = ? AND id > ? ORDER BY id LIMIT ?) n
     LEFT JOIN notification_counts c
       ON c.user_id = n.user_id AND c.level = ${ROOT_LEVEL} AND c.block = 0 AND c.type = n.type`,
    [announcementId, after, limit],
  );
  const delivered = toCount(row?.delivered);
  const last = delivered < limit ? undefined : toCount(row?.last);
  return { delivered, read: delivered - toCount(row?.unread), last };
}

/**
 * Claims the count of an announcement.
 * @returns false if it was counted after `stale`, or another instance is counting
 */
export async function claimStale(
  em: EntityManager,
  { id, until }: Claim,
  { now, stale }: { now: Date; stale: Date },
): Promise<boolean> {
  const sql = `UPDATE announcement_reaches SET claimed_until = ?
    WHERE announcement_id = ? AND claimed_until <= ? AND (counted_at IS NULL OR counted_at <= ?)`;
  const [to, at, before] = [until, now, stale].map((moment) => toSqlTimestamp(em, moment));
  return (await affectedBy(em, sql, [to, id, at, before])) === 1;
}

/** Stores a count and ends the claim, unless another instance has claimed the row. */
export async function storeReach(
  em: EntityManager,
  { id, until }: Claim,
  { delivered, read }: Reach,
  now: Date,
): Promise<void> {
  const at = toSqlTimestamp(em, now);
  await affectedBy(
    em,
    `UPDATE announcement_reaches SET delivered = ?, read_count = ?, counted_at = ?, claimed_until = ?
     WHERE announcement_id = ? AND claimed_until = ?`,
    [delivered, read, at, at, id, toSqlTimestamp(em, until)],
  );
}
