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

/**
 * Whether anything in `range` may not have been read by anybody yet. Answered without a lock: what is not read below
 * the frontier only ever becomes less, so a "no" stays true.
 */
export async function mayBeFirstReader(
  em: EntityManager,
  { conversation_id, type, first_read_seq }: Membership,
  range: SeqRange,
): Promise<boolean> {
  if (type === 'single') return false;
  return range.to > first_read_seq || (await gapsIn(em, conversation_id, range)).length > 0;
}

/**
 * Writes an advance into the log.
 * @param isFirst whether it may be the first read of something in a group, whose lock is then held
 */
export async function recordRead(
  em: EntityManager,
  { conversation_id, user_id, range, read_at }: Read,
  { isFirst }: { isFirst: boolean },
): Promise<void> {
  const { from, to } = range;
  await em.insert(ReadIntervalEntity, { conversation_id, user_id, from_seq: from, to_seq: to, read_at });
  if (isFirst) await recordFirstRead(em, conversation_id, range, read_at);
}

async function recordFirstRead(
  em: EntityManager,
  conversation_id: number,
  range: SeqRange,
  read_at: Date,
): Promise<void> {
  const { first_read_seq } = await em.findOneByOrFail(ConversationEntity, { id: conversation_id });
  const gaps = await gapsIn(em, conversation_id, range);
  const change = coverFirstReads({ frontier: first_read_seq, gaps }, range);
  const rowOf = ({ from, to }: SeqRange) => ({ conversation_id, from_seq: from, to_seq: to });
  if (gaps.length > 0)
    await em.delete(FirstReadGapEntity, { conversation_id, to_seq: In(gaps.map(({ to }) => to)) });
  if (change.gaps.length > 0) await em.insert(FirstReadGapEntity, change.gaps.map(rowOf));
  if (change.read.length > 0)
    await em.insert(
      FirstReadEntity,
      change.read.map((read) => ({ ...rowOf(read), read_at })),
    );
  if (change.frontier > first_read_seq)
    await em.update(ConversationEntity, { id: conversation_id }, { first_read_seq: change.frontier });
}

/** The gaps that overlap a range. */
async function gapsIn(
  em: EntityManager,
  conversationId: number,
  { from, to }: SeqRange,
): Promise<SeqRange[]> {
  const rows = await em.query<{ from_seq: number; to_seq: number }[]>(
    `SELECT from_seq, to_seq FROM first_read_gaps
     WHERE conversation_id = ? AND to_seq >= ? AND from_seq <= ?`,
    [conversationId, from, to],
  );
  return rows.map(({ from_seq, to_seq }) => ({ from: from_seq, to: to_seq }));
}
