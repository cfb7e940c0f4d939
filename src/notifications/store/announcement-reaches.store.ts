import type { EntityManager } from 'typeorm';
import { toSqlTimestamp } from '../../database/sql/dialect';
import { affectedBy } from '../../database/sql/statements';
import type { Claim } from './announcement-leases.store';
import { isUnread, JOIN_BLOCK, type ReadState, UNREAD_BYTE } from './read-state';

/** The number of notifications of an announcement, and how many of them have been read. */
export interface Reach {
  delivered: number;
  read: number;
}

/** The count of one batch, and the id after which the next batch starts; undefined: there is none. */
type BatchCount = Reach & { last: number | undefined };

/**
 * Counts at most `limit` notifications of an announcement. A notification without its type's counts, or without a block
 * of the inbox map, counts as read.
 */
export async function countBatch(
  em: EntityManager,
  announcementId: number,
  after: number,
  limit: number,
): Promise<BatchCount> {
  const rows = await em.query<(ReadState & { id: number; epoch: number | null })[]>(
    `SELECT n.id, n.seq, c.epoch, b.version, ${UNREAD_BYTE} AS unread_byte FROM
       (SELECT id, user_id, type, seq FROM notifications
        WHERE announcement_id = ? AND id > ? ORDER BY id LIMIT ?) n
     LEFT JOIN notification_types c ON c.user_id = n.user_id AND c.type = n.type
     ${JOIN_BLOCK}`,
    [announcementId, after, limit],
  );
  const delivered = rows.length;
  const unread = rows.filter(({ epoch, ...row }) => epoch !== null && isUnread(row, epoch)).length;
  const last = delivered < limit ? undefined : Math.max(...rows.map(({ id }) => id));
  return { delivered, read: delivered - unread, last };
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
