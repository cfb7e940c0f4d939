import { type EntityManager, In } from 'typeorm';
import { ConversationEntity } from './entities/conversation.entity';
import { FirstReadEntity, FirstReadGapEntity } from './entities/first-read.entity';
import { ReadIntervalEntity } from './entities/read-interval.entity';
import { coverFirstReads } from './first-reads';
import type { SeqRange } from './history-range';
import type { Membership } from './membership';

/* What is written when a read position advances: who read what when, and in groups who was the first. */

/** One advance: the messages `range` became read by the user; none of them is the user's own. */
export interface Read {
  conversation_id: number;
  user_id: number;
  range: SeqRange;
  read_at: Date;
}

/** Writes down who read what when. */
export async function recordRead(em: EntityManager, read: Read): Promise<void> {
  const { conversation_id, user_id, range, read_at } = read;
  await em.insert(ReadIntervalEntity, {
    conversation_id,
    user_id,
    from_seq: range.from,
    to_seq: range.to,
    read_at,
  });
}

/**
 * Whether anything in `range` may not have been read by anybody yet. Answered without a lock: what is not read below
 * the frontier only ever becomes less, so a "no" stays true.
 */
export async function mayBeFirstReader(
  em: EntityManager,
  membership: Membership,
  range: SeqRange,
): Promise<boolean> {
  if (membership.type === 'single') return false;
  return range.to > membership.first_read_seq || (await gapsIn(em, membership, range)).length > 0;
}

/**
 * Writes down, for a group, of which messages this was the first read.
 * @param group read under its lock
 */
export async function recordFirstRead(
  em: EntityManager,
  group: Membership,
  { range, read_at }: Read,
): Promise<void> {
  const { conversation_id, first_read_seq, first_gap_seq } = group;
  const gaps = await gapsIn(em, group, range);
  const change = coverFirstReads({ frontier: first_read_seq, gaps }, range);
  const rowOf = ({ from, to }: SeqRange) => ({ conversation_id, from_seq: from, to_seq: to });
  if (gaps.length > 0)
    await em.delete(FirstReadGapEntity, { conversation_id, to_seq: In(gaps.map(({ to }) => to)) });
  if (change.gaps.length > 0) await em.insert(FirstReadGapEntity, change.gaps.map(rowOf));
  const rows = change.read.map((read) => ({ ...rowOf(read), read_at }));
  if (rows.length > 0) await em.insert(FirstReadEntity, rows);
  if (change.frontier === first_read_seq) return;
  const highestGap = Math.max(first_gap_seq, ...change.gaps.map(({ to }) => to));
  const grown = { first_read_seq: change.frontier, first_gap_seq: highestGap };
  await em.update(ConversationEntity, { id: conversation_id }, grown);
}

/** The gaps that overlap a range. */
async function gapsIn(
  em: EntityManager,
  { conversation_id, first_gap_seq }: Membership,
  { from, to }: SeqRange,
): Promise<SeqRange[]> {
  if (from > first_gap_seq) return [];
  const rows = await em.query<{ from_seq: number; to_seq: number }[]>(
    `SELECT from_seq, to_seq FROM first_read_gaps
     WHERE conversation_id = ? AND to_seq >= ? AND from_seq <= ?`,
    [conversation_id, from, to],
  );
  return rows.map(({ from_seq, to_seq }) => ({ from: from_seq, to: to_seq }));
}
