import type { EntityManager } from 'typeorm';
import type { ConversationId, UserId } from '../../common/ids';
import { deleteRows, insertRows } from '../../database/rows';
import { FirstReadEntity, FirstReadGapEntity } from '../entities/first-read.entity';
import { ReadIntervalEntity } from '../entities/read-interval.entity';
import { coverAll } from '../rules/first-reads';
import { rangeOver, type SeqRange } from '../rules/history-range';
import type { Membership } from './membership';

/* What is written when a read position advances: who read what when, and in groups who was the first. */

/** One advance: the messages `range` became read by the user; none of them is the user's own. */
export interface Read {
  conversation_id: ConversationId;
  user_id: UserId;
  range: SeqRange;
  read_at: Date;
}

/** Writes down who read what when. */
export async function recordReads(em: EntityManager, reads: readonly Read[]): Promise<void> {
  const rows = reads.map(({ range: { from, to }, ...read }) => ({ ...read, from_seq: from, to_seq: to }));
  await insertRows(em, ReadIntervalEntity, rows);
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
 * Writes down, for a group, of which messages these were the first reads.
 * @param group read under its lock
 * @param reads in their order, some
 */
export async function recordFirstReads(
  em: EntityManager,
  group: Membership,
  reads: readonly Read[],
): Promise<void> {
  const { conversation_id, first_read_seq, first_gap_seq } = group;
  const known = await gapsIn(em, group, rangeOver(reads.map(({ range }) => range)));
  const change = coverAll({ frontier: first_read_seq, gaps: known }, reads);
  const rowOf = ({ from, to }: SeqRange) => ({ conversation_id, from_seq: from, to_seq: to });
  const gone = known.filter((gap) => !change.gaps.includes(gap));
  const left = change.gaps.filter((gap) => !known.includes(gap));
  if (gone.length > 0)
    await deleteRows(em, FirstReadGapEntity, { conversation_id, to_seq: gone.map(({ to }) => to) });
  if (left.length > 0) await insertRows(em, FirstReadGapEntity, left.map(rowOf));
  const rows = change.read.map(({ range, read_at }) => ({ ...rowOf(range), read_at }));
  if (rows.length > 0) await insertRows(em, FirstReadEntity, rows);
  if (change.frontier === first_read_seq) return;
  const highestGap = Math.max(first_gap_seq, ...left.map(({ to }) => to));
  await em.query('UPDATE conversations SET first_read_seq = ?, first_gap_seq = ? WHERE id = ?', [
    change.frontier,
    highestGap,
    conversation_id,
  ]);
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
