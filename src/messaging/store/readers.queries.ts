import type { EntityManager } from 'typeorm';
import type { SeqRange } from '../rules/history-range';
import type { Membership } from './membership';
import type { MemberTallies, ReaderCounts } from '../rules/reader-counts';
import type { Slice } from '../../common/http/page';
import type { Message } from './message.queries';
import { HAS_DELETED } from './marks/visible-message';
import { placeholders, type RawCount, type RawMoment, toCount, toDate } from '../../database/dialect';

/** A message, as far as its readers are concerned. */
type MessagePlace = Pick<Message, 'conversation_id' | 'seq' | 'sender_id'>;

/** Messages that were read at one moment. */
interface ReadInterval extends SeqRange {
  read_at: Date;
}

/** When messages were read: the received ones by the viewer, the viewer's own by the peer or the first in the group. */
export type ReadLogs = Record<'received' | 'own', ReadInterval[]>;

type TallyKind = 'members' | 'read below' | 'read' | 'joined above' | 'joined' | 'sender';

/** A row of a log (`first` to `second` were read `at`), or of a tally (at `first` are `second`). */
interface RawRow {
  kind: keyof ReadLogs | TallyKind;
  first: number;
  second: number | string;
  read_at: RawMoment | null;
}

/** A part of a statement. */
interface Part {
  sql: string;
  parameters: number[];
}

/** What is known of the readers of a range of messages at one moment. */
export interface Readers {
  logs: ReadLogs;
  /** In a group. */
  tallies?: MemberTallies;
}

/**
 * When the messages of a range were read, and in a group how its members are spread, as far as these messages can tell
 * them apart. One statement, so that what a message is shown as and what is counted of it are of one moment; it counts
 * in the database and returns a row for each number within the range at most.
 * @param senderIds of the messages
 */
export async function readersOf(
  em: EntityManager,
  viewer: Membership,
  range: SeqRange,
  senderIds: number[],
): Promise<Readers> {
  const isGroup = viewer.type === 'group';
  const parts = [
    ...logParts(viewer, range, senderIds.includes(viewer.user_id)),
    ...(isGroup ? tallyParts(viewer.conversation_id, range, senderIds) : []),
  ];
  const rows = await em.query<RawRow[]>(
    parts.map(({ sql }) => sql).join(' UNION ALL '),
    parts.flatMap(({ parameters }) => parameters),
  );
  const logs = { received: intervalsOf(rows, 'received'), own: intervalsOf(rows, 'own') };
  return isGroup ? { logs, tallies: talliesOf(rows) } : { logs };
}

/** The viewer's readings, and where any of the messages are the viewer's, those of the peer or the first in the group. */
function logParts(
  { conversation_id, user_id, peer_id }: Membership,
  range: SeqRange,
  withOwn: boolean,
): Part[] {
  const received = logPart('received', [conversation_id, user_id], range);
  if (!withOwn) return [received];
  const readers = peer_id === null ? [] : [peer_id];
  return [received, logPart('own', [conversation_id, ...readers], range)];
}

/**
 * The intervals that can overlap a range of messages. Those of a log do not overlap each other, so they are the ones
 * that end within the range and the one that ends next; the rest of the log is not looked at.
 * @param of the conversation, and whose readings; those of anybody in the group when not given
 */
function logPart(log: keyof ReadLogs, of: number[], { from, to }: SeqRange): Part {
  const isFirst = of.length === 1;
  const table = isFirst ? 'first_reads' : 'read_intervals';
  const where = isFirst ? 'conversation_id = ?' : 'conversation_id = ? AND user_id = ?';
  const next = `SELECT MIN(to_seq) FROM ${table} WHERE ${where} AND to_seq >= ?`;
  return {
    sql: `SELECT '${log}' AS kind, from_seq AS first, to_seq AS second, read_at FROM ${table}
      WHERE ${where} AND to_seq >= ? AND to_seq <= COALESCE((${next}), ?)`,
    parameters: [...of, from, ...of, to, to],
  };
}

function tallyParts(conversationId: number, { from, to }: SeqRange, senderIds: number[]): Part[] {
  const tally = (kind: TallyKind, columns: string, where: string, ...parameters: number[]): Part => ({
    sql: `SELECT '${kind}' AS kind, ${columns}, NULL AS read_at FROM ${where}`,
    parameters: [conversationId, ...parameters],
  });
  const members = 'conversation_members WHERE conversation_id = ?';
  const among = placeholders(senderIds);
  return [
    tally('members', '0 AS first, member_count AS second', 'conversations WHERE id = ?'),
    tally('read below', '0, COUNT(*)', `${members} AND read_seq < ?`, from),
    tally(
      'read',
      'read_seq, COUNT(*)',
      `${members} AND read_seq >= ? AND read_seq < ? GROUP BY read_seq`,
      from,
      to,
    ),
    tally('joined above', '0, COUNT(*)', `${members} AND join_seq > ?`, to),
    tally(
      'joined',
      'join_seq, COUNT(*)',
      `${members} AND join_seq > ? AND join_seq <= ? GROUP BY join_seq`,
      from,
      to,
    ),
    tally('sender', 'user_id, join_seq', `${members} AND user_id IN (${among})`, ...senderIds),
  ];
}

const intervalsOf = (rows: RawRow[], log: keyof ReadLogs): ReadInterval[] =>
  rows.flatMap(({ kind, first, second, read_at }) =>
    kind === log && read_at !== null ? [{ from: first, to: Number(second), read_at: toDate(read_at) }] : [],
  );

function talliesOf(rows: RawRow[]): MemberTallies {
  const tallies = (wanted: TallyKind) =>
    rows
      .filter(({ kind }) => kind === wanted)
      .map(({ first, second }) => ({ seq: first, count: Number(second) }));
  const count = (kind: TallyKind): number => tallies(kind)[0]?.count ?? 0;
  return {
    members: count('members'),
    readBelow: count('read below'),
    readWithin: tallies('read'),
    joinedAbove: count('joined above'),
    joinedWithin: tallies('joined'),
    senders: new Map(tallies('sender').map(({ seq: userId, count: joinSeq }) => [userId, joinSeq])),
  };
}

/** How many other members were there when a message was sent and have been since, and how many of these have read it. */
export async function audienceOf(
  em: EntityManager,
  { conversation_id, seq, sender_id }: MessagePlace,
): Promise<ReaderCounts> {
  const [row] = await em.query<{ readers: RawCount; others: RawCount }[]>(
    `SELECT SUM(CASE WHEN read_seq >= ? THEN 1 ELSE 0 END) AS readers,
       SUM(CASE WHEN read_seq < ? THEN 1 ELSE 0 END) AS others
     FROM conversation_members WHERE conversation_id = ? AND join_seq <= ? AND user_id <> ?`,
    [seq, seq, conversation_id, seq, sender_id],
  );
  return { read_count: toCount(row?.readers), unread_count: toCount(row?.others) };
}

/**
 * Who of them has read it, who did so first first. For each member two look-ups: the interval that a message lies in is
 * the first that ends at it or later, however long the history is.
 */
export async function readersSlice(
  em: EntityManager,
  { conversation_id, seq, sender_id }: MessagePlace,
  { offset, limit }: Slice,
): Promise<{ user_id: number; read_at: Date }[]> {
  const rows = await em.query<{ user_id: number; read_at: RawMoment }[]>(
    `SELECT m.user_id, r.read_at FROM conversation_members m
     JOIN read_intervals r ON r.conversation_id = m.conversation_id AND r.user_id = m.user_id
       AND r.to_seq = (SELECT MIN(i.to_seq) FROM read_intervals i
         WHERE i.conversation_id = m.conversation_id AND i.user_id = m.user_id AND i.to_seq >= ?)
     WHERE m.conversation_id = ? AND m.join_seq <= ? AND m.read_seq >= ? AND m.user_id <> ?
     ORDER BY r.read_at, m.user_id LIMIT ? OFFSET ?`,
    [seq, conversation_id, seq, seq, sender_id, limit, offset],
  );
  return rows.map(({ user_id, read_at }) => ({ user_id, read_at: toDate(read_at) }));
}

/** A member in whose history a message is, and when that member read it. */
export interface MemberRead {
  user_id: number;
  read_at: Date | null;
  /** For oneself. */
  is_deleted: boolean;
}

/** Every member in whose history message `seq` is, or those among some users, with the time at which each has read it. */
export async function readsOf(
  em: EntityManager,
  conversationId: number,
  seq: number,
  userIds?: number[],
): Promise<MemberRead[]> {
  const rows = await em.query<{ user_id: number; read_at: RawMoment | null; is_deleted: number }[]>(
    `SELECT m.user_id, r.read_at, ${HAS_DELETED} AS is_deleted FROM conversation_members m
     LEFT JOIN read_intervals r ON r.conversation_id = m.conversation_id AND r.user_id = m.user_id
       AND r.from_seq <= ? AND r.to_seq >= ?
     WHERE m.conversation_id = ? AND m.join_seq <= ? AND m.cleared_seq < ?
       ${userIds === undefined ? '' : `AND m.user_id IN (${placeholders(userIds)})`}`,
    [seq, seq, seq, seq, conversationId, seq, seq, ...(userIds ?? [])],
  );
  return rows.map(({ user_id, read_at, is_deleted }) => ({
    user_id,
    read_at: read_at === null ? null : toDate(read_at),
    is_deleted: Boolean(is_deleted),
  }));
}
