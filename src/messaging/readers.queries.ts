import type { EntityManager } from 'typeorm';
import type { SeqRange } from './history-range';
import type { MemberTallies } from './reader-counts';
import { type RawMoment, toDate } from '../database/raw-values';
import { placeholders } from './rows';

/** Messages that were read at one moment. */
export interface ReadInterval extends SeqRange {
  read_at: Date;
}

interface RawInterval {
  from_seq: number;
  to_seq: number;
  read_at: RawMoment;
}

const toInterval = ({ from_seq, to_seq, read_at }: RawInterval): ReadInterval => ({
  from: from_seq,
  to: to_seq,
  read_at: toDate(read_at),
});

/**
 * The intervals of a user that can overlap a range of messages. They do not overlap each other, so as many as there
 * are messages in the range, from its beginning on, are enough, and the rest of the log is not looked at.
 */
export async function readIntervals(
  em: EntityManager,
  conversationId: number,
  userId: number,
  { from, to }: SeqRange,
): Promise<ReadInterval[]> {
  const rows = await em.query<RawInterval[]>(
    `SELECT from_seq, to_seq, read_at FROM read_intervals
     WHERE conversation_id = ? AND user_id = ? AND to_seq >= ? ORDER BY to_seq LIMIT ?`,
    [conversationId, userId, from, to - from + 1],
  );
  return rows.map(toInterval);
}

/** The same of a group: when its messages were first read by anybody. */
export async function firstReads(
  em: EntityManager,
  conversationId: number,
  { from, to }: SeqRange,
): Promise<ReadInterval[]> {
  const rows = await em.query<RawInterval[]>(
    `SELECT from_seq, to_seq, read_at FROM first_reads
     WHERE conversation_id = ? AND to_seq >= ? ORDER BY to_seq LIMIT ?`,
    [conversationId, from, to - from + 1],
  );
  return rows.map(toInterval);
}

type TallyKind = 'members' | 'read below' | 'read' | 'joined above' | 'joined' | 'sender';

/**
 * How the members of a conversation are spread, as far as the messages of a range can tell them apart: one statement,
 * so that its parts fit together, that counts in the database and returns a row per number within the range at most.
 */
export async function memberTallies(
  em: EntityManager,
  conversationId: number,
  { from, to }: SeqRange,
  senderIds: number[],
): Promise<MemberTallies> {
  const members = 'FROM conversation_members WHERE conversation_id = ?';
  const rows = await em.query<{ kind: TallyKind; at: number; n: number | string }[]>(
    `SELECT 'members' AS kind, 0 AS at, member_count AS n FROM conversations WHERE id = ?
     UNION ALL SELECT 'read below', 0, COUNT(*) ${members} AND read_seq < ?
     UNION ALL SELECT 'read', read_seq, COUNT(*) ${members} AND read_seq >= ? AND read_seq < ? GROUP BY read_seq
     UNION ALL SELECT 'joined above', 0, COUNT(*) ${members} AND join_seq > ?
     UNION ALL SELECT 'joined', join_seq, COUNT(*) ${members} AND join_seq > ? AND join_seq <= ? GROUP BY join_seq
     UNION ALL SELECT 'sender', user_id, join_seq ${members} AND user_id IN (${placeholders(senderIds)})`,
    [
      [conversationId],
      [conversationId, from],
      [conversationId, from, to],
      [conversationId, to],
      [conversationId, from, to],
      [conversationId, ...senderIds],
    ].flat(),
  );
  const tallies = (kind: TallyKind) =>
    rows.filter((row) => row.kind === kind).map(({ at, n }) => ({ seq: at, count: Number(n) }));
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

/** A member who can see a message, and when that member read it. */
export interface MemberRead {
  user_id: number;
  read_at: Date | null;
}

/** Every member who can see message number `seq`, or those among some users, with the time at which each has read it. */
export async function readsOf(
  em: EntityManager,
  conversationId: number,
  seq: number,
  userIds?: number[],
): Promise<MemberRead[]> {
  const rows = await em.query<{ user_id: number; read_at: RawMoment | null }[]>(
    `SELECT m.user_id, r.read_at FROM conversation_members m
     LEFT JOIN read_intervals r ON r.conversation_id = m.conversation_id AND r.user_id = m.user_id
       AND r.from_seq <= ? AND r.to_seq >= ?
     WHERE m.conversation_id = ? AND m.join_seq <= ?
       ${userIds === undefined ? '' : `AND m.user_id IN (${placeholders(userIds)})`}`,
    [seq, seq, conversationId, seq, ...(userIds ?? [])],
  );
  return rows.map(({ user_id, read_at }) => ({
    user_id,
    read_at: read_at === null ? null : toDate(read_at),
  }));
}
