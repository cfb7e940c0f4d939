import type { EntityManager } from 'typeorm';
import { inChunks } from '../../common/concurrency/chunks';
import type { SeqRange } from '../rules/history-range.rules';
import type { Membership } from './membership.store';
import type { MemberTallies, ReaderCounts } from '../rules/reader-counts.rules';
import type { Slice } from '../../common/http/page';
import type { MessageRow } from './message.store';
import { HAS_DELETED } from './visible-message.store';
import {
  forcePrimaryKey,
  placeholders,
  type RawCount,
  type RawTimestamp,
  type SqlPart,
  toCount,
  toDate,
  unionOfSome,
} from '../../database/sql/dialect';

/** The columns of a message that its readers depend on. */
type MessageRef = Pick<MessageRow, 'conversation_id' | 'seq' | 'sender_id'>;

/** Messages that were read at the same time. */
interface ReadInterval extends SeqRange {
  read_at: Date;
}

/**
 * When messages were read. `received`: other users' messages, read by the viewer. `own`: the viewer's messages, read by
 * the peer or first read in the group.
 */
export type ReadLogs = Record<'received' | 'own', ReadInterval[]>;

type TallyKind = 'members' | 'read below' | 'read' | 'joined above' | 'joined' | 'sender';

/**
 * A row of a read log (the messages `first` to `second` were read at `read_at`), or of a tally (`second` members at
 * `first`; of kind `sender`: a user id and its `join_seq`).
 */
interface RawRow {
  kind: keyof ReadLogs | TallyKind;
  first: number;
  second: number | string;
  read_at: RawTimestamp | null;
}

/** The readers of a range of messages at one point in time. */
export interface Readers {
  logs: ReadLogs;
  /** Only set in a group. */
  tallies?: MemberTallies;
}

/**
 * Reads when the messages of a range were read and, in a group, how its members' positions are distributed over the
 * range. It is one statement, so that the read state and the counts of a message are consistent. The database does the
 * counting: each part returns at most one row for each number in the range.
 * @param senderIds senders of the messages
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
    ...(isGroup ? tallyParts(em, viewer.conversation_id, range, senderIds) : []),
  ];
  const rows = await em.query<RawRow[]>(
    parts.map(({ sql }) => sql).join(' UNION ALL '),
    parts.flatMap(({ parameters }) => parameters),
  );
  const logs = { received: intervalsOf(rows, 'received'), own: intervalsOf(rows, 'own') };
  return isGroup ? { logs, tallies: talliesOf(rows) } : { logs };
}

/**
 * Returns the parts for the reads of the viewer and, if the range has messages of the viewer, for the reads of the peer
 * or the first reads in the group.
 */
function logParts(
  { conversation_id, user_id, peer_id }: Membership,
  range: SeqRange,
  withOwn: boolean,
): SqlPart[] {
  const received = logPart('received', [conversation_id, user_id], range);
  if (!withOwn) return [received];
  const readers = peer_id === null ? [] : [peer_id];
  return [received, logPart('own', [conversation_id, ...readers], range)];
}

/**
 * Selects the intervals of a log that overlap a range of messages. Intervals of a log do not overlap each other, so
 * these are the ones that end within the range and the next one after it; the rest of the log is not read.
 * @param key ids of the conversation and of the reader; without a reader, the first reads in the group
 */
function logPart(log: keyof ReadLogs, key: number[], { from, to }: SeqRange): SqlPart {
  const isFirst = key.length === 1;
  const table = isFirst ? 'first_reads' : 'read_intervals';
  const where = isFirst ? 'conversation_id = ?' : 'conversation_id = ? AND user_id = ?';
  const next = `SELECT MIN(to_seq) FROM ${table} WHERE ${where} AND to_seq >= ?`;
  return {
    sql: `SELECT '${log}' AS kind, from_seq AS first, to_seq AS second, read_at FROM ${table}
      WHERE ${where} AND to_seq >= ? AND to_seq <= COALESCE((${next}), ?)`,
    parameters: [...key, from, ...key, to, to],
  };
}

function tallyParts(
  em: EntityManager,
  conversationId: number,
  { from, to }: SeqRange,
  senderIds: number[],
): SqlPart[] {
  const tally = (kind: TallyKind, columns: string, where: string, ...parameters: number[]): SqlPart => ({
    sql: `SELECT '${kind}' AS kind, ${columns}, NULL AS read_at FROM ${where}`,
    parameters: [conversationId, ...parameters],
  });
  const members = 'conversation_members WHERE conversation_id = ?';
  const senders = `conversation_members ${forcePrimaryKey(em)} WHERE conversation_id = ?`;
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
    tally(
      'sender',
      'user_id, join_seq',
      `${senders} AND user_id IN (${placeholders(senderIds)})`,
      ...senderIds,
    ),
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

/**
 * Counts the members other than the sender who have been members since the message was sent: those who have read it,
 * and those who have not.
 */
export async function readersAudience(
  em: EntityManager,
  { conversation_id, seq, sender_id }: MessageRef,
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
 * Returns a slice of the members other than the sender who have been members since a message was sent and have read it,
 * in the order of reading.
 */
export async function readersSlice(
  em: EntityManager,
  { conversation_id, seq, sender_id }: MessageRef,
  { offset, limit }: Slice,
): Promise<{ user_id: number; read_at: Date }[]> {
  const rows = await em.query<{ user_id: number }[]>(
    `SELECT user_id FROM conversation_members
     WHERE conversation_id = ? AND join_seq <= ? AND read_seq >= ? AND user_id <> ?`,
    [conversation_id, seq, seq, sender_id],
  );
  const times = await readTimesOf(em, { conversation_id, seq }, rows.map(toUserId));
  return Array.from(times, ([user_id, read_at]) => ({ user_id, read_at }))
    .toSorted((a, b) => a.read_at.getTime() - b.read_at.getTime() || a.user_id - b.user_id)
    .slice(offset, offset + limit);
}

/** A member whose history contains a message, and when the member read it. */
export interface MemberRead {
  user_id: number;
  read_at: Date | null;
  /** Whether the member has deleted the message for themselves. */
  is_deleted: boolean;
}

/**
 * Returns the members whose history contains message `seq`, with the time at which each read it; all members when
 * `userIds` is undefined.
 */
export async function readsOf(
  em: EntityManager,
  conversationId: number,
  seq: number,
  userIds?: number[],
): Promise<MemberRead[]> {
  const rows = await em.query<{ user_id: number; read_seq: number; is_deleted: number }[]>(
    `SELECT m.user_id, m.read_seq, ${HAS_DELETED} AS is_deleted FROM conversation_members m ${forcePrimaryKey(em)}
     WHERE m.conversation_id = ? AND m.join_seq <= ? AND m.cleared_seq < ?
       ${userIds === undefined ? '' : `AND m.user_id IN (${placeholders(userIds)})`}`,
    [seq, seq, conversationId, seq, seq, ...(userIds ?? [])],
  );
  const readers = rows.filter(({ read_seq }) => read_seq >= seq);
  const times = await readTimesOf(em, { conversation_id: conversationId, seq }, readers.map(toUserId));
  return rows.map(({ user_id, is_deleted }) => ({
    user_id,
    read_at: times.get(user_id) ?? null,
    is_deleted: Boolean(is_deleted),
  }));
}

const toUserId = ({ user_id }: { user_id: number }): number => user_id;

/** Users per statement; SQLite allows 500 SELECTs in one. */
const USERS_PER_STATEMENT = 250;

/**
 * Returns when users read a message; those who have not are absent. Each user takes one look-up, however long the
 * history is: the interval that contains the message is the first one that ends at it or later. A join would let
 * MariaDB read all intervals of each user.
 */
async function readTimesOf(
  em: EntityManager,
  { conversation_id, seq }: { conversation_id: number; seq: number },
  userIds: readonly number[],
): Promise<Map<number, Date>> {
  const select = `SELECT user_id, from_seq, read_at FROM read_intervals
    WHERE conversation_id = ? AND user_id = ? AND to_seq >= ? ORDER BY to_seq LIMIT 1`;
  const times = new Map<number, Date>();
  for (const chunk of inChunks(userIds, USERS_PER_STATEMENT)) {
    const rows = await em.query<{ user_id: number; from_seq: number; read_at: RawTimestamp }[]>(
      unionOfSome(
        em,
        chunk.map(() => select),
      ),
      chunk.flatMap((userId) => [conversation_id, userId, seq]),
    );
    for (const { user_id, from_seq, read_at } of rows)
      if (from_seq <= seq) times.set(user_id, toDate(read_at));
  }
  return times;
}
