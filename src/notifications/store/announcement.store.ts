import type { EntityManager } from 'typeorm';
import type { Role } from '../../common/auth/principal';
import {
  lockingShared,
  type RawTimestamp,
  toDate,
  toDateOrNull,
  toSqlTimestamp,
} from '../../database/sql/dialect';
import { affectedBy, insertRows, queryRows, updateRows } from '../../database/sql/statements';
import { AnnouncementEntity, AnnouncementReachEntity } from '../entities/announcement.entity';
import { dataOf, type DatedMessage } from '../rules/notification-content.rules';

/** The expired claim of a reach that was never counted. */
const NEVER = new Date(0);

/** An announcement to insert. */
export type NewAnnouncement = Omit<AnnouncementEntity, 'id' | 'recalled_at'>;

/** Inserts an announcement with an empty reach. @returns its id */
export async function insertAnnouncement(em: EntityManager, row: NewAnnouncement): Promise<number> {
  const id = await insertRows(em, AnnouncementEntity, [row]);
  await insertRows(em, AnnouncementReachEntity, [
    { announcement_id: id, delivered: 0, read_count: 0, claimed_until: NEVER },
  ]);
  return id;
}

/** Stores the number of recipients of an announcement. */
export async function setRecipients(em: EntityManager, id: number, recipients: number): Promise<void> {
  await updateRows(em, AnnouncementEntity, { id }, { recipients });
}

/** Returns the sequence number of the newest broadcast; 0 if there is none. */
export async function newestBroadcastSeq(em: EntityManager): Promise<number> {
  const [row] = await em.query<{ newest: number | null }[]>(
    'SELECT MAX(broadcast_seq) AS newest FROM announcements',
  );
  return row?.newest ?? 0;
}

/** Returns the sequence number of the last broadcast dated at or before `moment`; 0 if there is none. */
export async function lastBroadcastUpTo(em: EntityManager, moment: Date): Promise<number> {
  const [row] = await em.query<{ broadcast_seq: number }[]>(
    `SELECT broadcast_seq FROM announcements WHERE broadcast_seq IS NOT NULL AND created_at <= ?
     ORDER BY broadcast_seq DESC LIMIT 1`,
    [toSqlTimestamp(em, moment)],
  );
  return row?.broadcast_seq ?? 0;
}

/** A broadcast for inboxes to materialise. */
export interface Broadcast {
  seq: number;
  /** The stored role of its recipients; null: all users. */
  role: Role | null;
  message: DatedMessage;
}

/**
 * Returns the broadcasts in a range of sequence numbers, in order, without recalled ones. Locks them in share mode
 * until the end of the transaction, which puts them into inboxes: a concurrent recall waits, and then finds the new
 * copies.
 */
export async function lockBroadcasts(em: EntityManager, from: number, to: number): Promise<Broadcast[]> {
  const rows = await queryRows(
    em,
    AnnouncementEntity,
    `SELECT * FROM announcements WHERE broadcast_seq BETWEEN ? AND ? ORDER BY broadcast_seq${lockingShared(em)}`,
    [from, to],
  );
  return rows.filter(({ recalled_at }) => recalled_at === null).map(toBroadcast);
}

const toBroadcast = (row: AnnouncementEntity): Broadcast => ({
  seq: row.broadcast_seq ?? 0,
  role: row.role,
  message: {
    type: row.type,
    title: row.title,
    content: row.content,
    data: dataOf(row.data) ?? undefined,
    dedupeKey: row.dedupe_key ?? undefined,
    critical: row.critical,
    createdAt: row.created_at,
    announcementId: row.id,
  },
});

/** An announcement with its reach. */
export type AnnouncementRow = AnnouncementEntity &
  Pick<AnnouncementReachEntity, 'delivered' | 'read_count' | 'counted_at'>;

type RawRow = Omit<AnnouncementRow, 'created_at' | 'recalled_at' | 'counted_at'> & {
  created_at: RawTimestamp;
  recalled_at: RawTimestamp | null;
  counted_at: RawTimestamp | null;
};

const WITH_REACH = `SELECT a.*, r.delivered, r.read_count, r.counted_at
  FROM announcements a JOIN announcement_reaches r ON r.announcement_id = a.id`;

const toRow = (row: RawRow): AnnouncementRow => ({
  ...row,
  created_at: toDate(row.created_at),
  recalled_at: toDateOrNull(row.recalled_at),
  counted_at: toDateOrNull(row.counted_at),
});

/** Returns at most `limit` announcements with ids below `before`, newest first. */
export async function newestAnnouncements(
  em: EntityManager,
  before: number | undefined,
  limit: number,
): Promise<AnnouncementRow[]> {
  const rows = await em.query<RawRow[]>(`${WITH_REACH} WHERE a.id < ? ORDER BY a.id DESC LIMIT ?`, [
    before ?? Number.MAX_SAFE_INTEGER,
    limit,
  ]);
  return rows.map(toRow);
}

/** Returns an announcement with its reach; undefined if it does not exist. */
export async function announcementById(em: EntityManager, id: number): Promise<AnnouncementRow | undefined> {
  const [row] = await em.query<RawRow[]>(`${WITH_REACH} WHERE a.id = ?`, [id]);
  return row && toRow(row);
}

/**
 * Marks an announcement as recalled: no inbox materialises it from then on.
 * @returns false if it was recalled already
 */
export async function markRecalled(em: EntityManager, id: number, now: Date): Promise<boolean> {
  const sql = 'UPDATE announcements SET recalled_at = ? WHERE id = ? AND recalled_at IS NULL';
  return (await affectedBy(em, sql, [toSqlTimestamp(em, now), id])) === 1;
}
