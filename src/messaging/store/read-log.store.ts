import type { EntityManager } from 'typeorm';
import type { ConversationId, UserId } from '../../common/ids';
import { deleteRows, insertRows } from '../../database/sql/statements';
import { FirstReadEntity, FirstReadGapEntity } from '../entities/first-read.entity';
import { ReadIntervalEntity } from '../entities/read-interval.entity';
import { coverAll } from '../rules/first-reads.rules';
import { rangeOver, type SeqRange } from '../rules/history-range.rules';
import type { Membership } from './membership.store';

/*
 * Records the advances of read positions: which user has read which messages when, and in groups when each message was
 * first read.
 */

/** One advance of a read position: the user has read the messages in `range`, none of which is their own. */
export interface Read {
  conversation_id: ConversationId;
  user_id: UserId;
  range: SeqRange;
  read_at: Date;
}

/** Inserts the read intervals. */
export async function recordReads(em: EntityManager, reads: readonly Read[]): Promise<void> {
  const rows = reads.map(({ range: { from, to }, ...read }) => ({ ...read, from_seq: from, to_seq: to }));
  await insertRows(em, ReadIntervalEntity, rows);
}

/**
 * Whether `range` may contain messages that no member has read yet. Needs no lock: the messages below the frontier that
 * are unread only become fewer, so a negative result stays correct.
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
 * Records the first reads of messages of a group.
 * @param group read under the conversation lock
 * @param reads in their order, at least one
 */
export async function recordFirstReads(
  em: EntityManager,
  group: Membership,
  reads: readonly Read[],
): Promise<void> {
  const { conversation_id, first_read_seq, first_gap_seq } = group;
  const gapsBefore = await gapsIn(em, group, rangeOver(reads.map(({ range }) => range)));
  const change = coverAll({ frontier: first_read_seq, gaps: gapsBefore }, reads);
  const toRow = ({ from, to }: SeqRange) => ({ conversation_id, from_seq: from, to_seq: to });
  const closedGaps = gapsBefore.filter((gap) => !change.gaps.includes(gap));
  const newGaps = change.gaps.filter((gap) => !gapsBefore.includes(gap));
  if (closedGaps.length > 0)
    await deleteRows(em, FirstReadGapEntity, { conversation_id, to_seq: closedGaps.map(({ to }) => to) });
  if (newGaps.length > 0) await insertRows(em, FirstReadGapEntity, newGaps.map(toRow));
  const rows = change.read.map(({ range, read_at }) => ({ ...toRow(range), read_at }));
  if (rows.length > 0) await insertRows(em, FirstReadEntity, rows);
  if (change.frontier === first_read_seq) return;
  const highestGap = Math.max(first_gap_seq, ...newGaps.map(({ to }) => to));
  await em.query('UPDATE conversations SET first_read_seq = ?, first_gap_seq = ? WHERE id = ?', [
    change.frontier,
    highestGap,
    conversation_id,
  ]);
}

/** Returns the gaps that overlap a range. */
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
