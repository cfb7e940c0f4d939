import type { EntityManager } from 'typeorm';
import type { Role } from '../../common/auth/principal';
import { lockingShared, type RawMoment, toDate, toMoment } from '../../database/dialect';
import { affectedBy, insertRows } from '../../database/rows';
import { AnnouncementEntity, AnnouncementReachEntity } from '../entities/announcement.entity';
import { dataOf, type DatedMessage } from '../rules/message';

/** Nobody counts it, and nobody ever has. */
const NEVER = new Date(0);

/** An announcement to be written: what the table allots, and what comes later, is not known yet. */
export type NewAnnouncement = Omit<AnnouncementEntity, 'id' | 'recalled_at'>;

/** Writes an announcement of which no inbox has anything yet; answers its id. */
export async function insertAnnouncement(em: EntityManager, row: NewAnnouncement): Promise<number> {
  const id = await insertRows(em, AnnouncementEntity, [row]);
  await insertRows(em, AnnouncementReachEntity, [
    { announcement_id: id, delivered: 0, read_count: 0, claimed_until: NEVER },
  ]);
  return id;
}

/** The place that the next broadcast takes. Another one may take it at the same moment: then one of them collides. */
export async function nextBroadcastSeq(em: EntityManager): Promise<number> {
  return (await newestBroadcastSeq(em)) + 1;
}

/** The place of the newest broadcast; 0 where there is none. */
export async function newestBroadcastSeq(em: EntityManager): Promise<number> {
  const [row] = await em.query<{ newest: number | null }[]>(
    'SELECT MAX(broadcast_seq) AS newest FROM announcements',
  );
  return row?.newest ?? 0;
}

/** The place of the last broadcast that is not dated after a moment; 0 where there is none. */
export async function lastBroadcastUpTo(em: EntityManager, moment: Date): Promise<number> {
  const [row] = await em.query<{ broadcast_seq: number }[]>(
    `SELECT broadcast_seq FROM announcements WHERE broadcast_seq IS NOT NULL AND created_at <= ?
     ORDER BY broadcast_seq DESC LIMIT 1`,
    [toMoment(em, moment)],
  );
  return row?.broadcast_seq ?? 0;
}

/** What inboxes take in. */
export interface Broadcast {
  seq: number;
  /** Of whom it is for; null: of everybody. */
  role: Role | null;
  message: DatedMessage;
}

/**
 * The broadcasts of some places that stand, in their order, within a transaction that puts them into inboxes. Until it
 * ends none of them can be recalled: whoever does so waits, and finds what it has written.
 */
export async function holdBroadcasts(em: EntityManager, from: number, to: number): Promise<Broadcast[]> {
  const rows = await em.query<(AnnouncementEntity & { created_at: RawMoment })[]>(
    `SELECT id, broadcast_seq, role, type, title, content, data, dedupe_key, created_at, recalled_at
     FROM announcements WHERE broadcast_seq BETWEEN ? AND ? ORDER BY broadcast_seq${lockingShared(em)}`,
    [from, to],
  );
  return rows.filter(({ recalled_at }) => recalled_at === null).map(toBroadcast);
}

const toBroadcast = ({
  id,
  broadcast_seq,
  role,
  type,
  title,
  content,
  data,
  dedupe_key,
  created_at,
}: AnnouncementEntity & { created_at: RawMoment }): Broadcast => ({
  seq: broadcast_seq ?? 0,
  role,
  message: {
    type,
    title,
    content,
    data: dataOf(data) ?? undefined,
    dedupeKey: dedupe_key ?? undefined,
    createdAt: toDate(created_at),
    announcementId: id,
  },
});

/** An announcement with how far it has come. */
export type AnnouncementRow = AnnouncementEntity &
  Pick<AnnouncementReachEntity, 'delivered' | 'read_count' | 'counted_at'>;

type RawRow = Omit<AnnouncementRow, 'created_at' | 'recalled_at' | 'counted_at'> & {
  created_at: RawMoment;
  recalled_at: RawMoment | null;
  counted_at: RawMoment | null;
};

const WITH_REACH = `SELECT a.*, r.delivered, r.read_count, r.counted_at
  FROM announcements a JOIN announcement_reaches r ON r.announcement_id = a.id`;

const dateOf = (moment: RawMoment | null): Date | null => (moment === null ? null : toDate(moment));

const toRow = (row: RawRow): AnnouncementRow => ({
  ...row,
  created_at: toDate(row.created_at),
  recalled_at: dateOf(row.recalled_at),
  counted_at: dateOf(row.counted_at),
});

/** The newest announcements below an id, `most` at most. */
export async function newestAnnouncements(
  em: EntityManager,
  before: number | undefined,
  most: number,
): Promise<AnnouncementRow[]> {
  const rows = await em.query<RawRow[]>(`${WITH_REACH} WHERE a.id < ? ORDER BY a.id DESC LIMIT ?`, [
    before ?? Number.MAX_SAFE_INTEGER,
    most,
  ]);
  return rows.map(toRow);
}

/** One announcement with how far it has come; undefined where there is none. */
export async function announcementById(em: EntityManager, id: number): Promise<AnnouncementRow | undefined> {
  const [row] = await em.query<RawRow[]>(`${WITH_REACH} WHERE a.id = ?`, [id]);
  return row && toRow(row);
}

/** Takes an announcement back; answers whether it stood until now. From here on no inbox takes it in. */
export async function markRecalled(em: EntityManager, id: number, now: Date): Promise<boolean> {
  const sql = 'UPDATE announcements SET recalled_at = ? WHERE id = ? AND recalled_at IS NULL';
  return (await affectedBy(em, sql, [toMoment(em, now), id])) === 1;
}
