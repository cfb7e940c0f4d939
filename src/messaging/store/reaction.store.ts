import type { EntityManager } from 'typeorm';
import type { UserId } from '../../common/ids';
import { deleteRows, insertRows, updateRows } from '../../database/sql/statements';
import { type RawTimestamp, toDate } from '../../database/sql/dialect';
import type { Slice } from '../../common/http/page';
import { MessageReactionCountEntity, MessageReactionEntity } from '../entities/message-reaction.entity';
import { MessageEntity } from '../entities/message.entity';
import type { SeqRange } from '../rules/history-range.rules';
import type { ReactionChange, ReactionTally } from '../rules/reactions.rules';
import type { Membership } from './membership.store';
import type { MessageRow } from './message.store';

/** Primary key of a message. */
type MessageKey = Pick<MessageRow, 'conversation_id' | 'seq'>;

interface Row extends Omit<ReactionTally, 'reacted' | 'emoji'> {
  seq: number;
  /** Null in a row that only marks that the viewer has reacted. */
  emoji: string | null;
}

/**
 * Returns the reactions to the messages of a range as a user sees them: message number → reactions in the order of
 * first use. One statement reads a range of the counts and a range of the user's own reactions.
 */
export async function reactionsIn(
  em: EntityManager,
  { conversation_id, user_id }: Pick<Membership, 'conversation_id' | 'user_id'>,
  { from, to }: SeqRange,
): Promise<Map<number, ReactionTally[]>> {
  const rows = await em.query<Row[]>(
    `SELECT seq, emoji_key, emoji, count, n FROM message_reaction_counts
     WHERE conversation_id = ? AND seq BETWEEN ? AND ?
     UNION ALL SELECT seq, emoji_key, NULL, 0, 0 FROM message_reactions
     WHERE conversation_id = ? AND user_id = ? AND seq BETWEEN ? AND ?`,
    [conversation_id, from, to, conversation_id, user_id, from, to],
  );
  const reactedTo = new Set(rows.filter(({ emoji }) => emoji === null).map(keyOf));
  const tallies = rows.flatMap(({ emoji, ...row }) =>
    emoji === null ? [] : [{ ...row, emoji, reacted: reactedTo.has(keyOf(row)) }],
  );
  const inOrder = tallies.toSorted((a, b) => a.n - b.n);
  return Map.groupBy<number, ReactionTally & { seq: number }>(inOrder, ({ seq }) => seq);
}

const keyOf = ({ seq, emoji_key }: Pick<Row, 'seq' | 'emoji_key'>): string => `${seq} ${emoji_key}`;

/**
 * Stores the change of a user's reaction to a message. The caller has held the conversation lock since before it read
 * the reactions, so the counts are written as absolute values.
 */
export async function storeReaction(
  em: EntityManager,
  { conversation_id, seq, has_reactions }: MessageRow,
  userId: UserId,
  { tallies, changed: { emoji_key, emoji, count, n, reacted } }: ReactionChange,
  created_at: Date,
): Promise<void> {
  const key = { conversation_id, seq };
  const reaction = { ...key, emoji_key, user_id: userId };
  if (reacted) await insertRows(em, MessageReactionEntity, [{ ...reaction, created_at }]);
  else await deleteRows(em, MessageReactionEntity, reaction);
  const counted = { ...key, emoji_key };
  if (reacted && count === 1)
    await insertRows(em, MessageReactionCountEntity, [{ ...counted, emoji, count, n }]);
  else if (count === 0) await deleteRows(em, MessageReactionCountEntity, counted);
  else await updateRows(em, MessageReactionCountEntity, counted, { count });
  const hasAny = tallies.length > 0;
  if (hasAny !== has_reactions) await updateRows(em, MessageEntity, key, { has_reactions: hasAny });
}

/** Removes all reactions to a message. The caller holds the conversation lock. */
export async function removeReactions(
  em: EntityManager,
  { conversation_id, seq }: MessageKey,
): Promise<void> {
  const key = { conversation_id, seq };
  await deleteRows(em, MessageReactionEntity, key);
  await deleteRows(em, MessageReactionCountEntity, key);
  await updateRows(em, MessageEntity, key, { has_reactions: false });
}

/** A reaction of one user. */
export interface Reaction {
  user_id: UserId;
  emoji: string;
  created_at: Date;
}

/** Returns a slice of the reactions to a message, the earliest first; with any emoji when `emoji_key` is undefined. */
export async function reactionsSlice(
  em: EntityManager,
  { conversation_id, seq }: MessageKey,
  emoji_key: string | undefined,
  { offset, limit }: Slice,
): Promise<Reaction[]> {
  const rows = await em.query<(Omit<Reaction, 'created_at'> & { created_at: RawTimestamp })[]>(
    `SELECT r.user_id, k.emoji, r.created_at FROM message_reactions r
     JOIN message_reaction_counts k
       ON k.conversation_id = r.conversation_id AND k.seq = r.seq AND k.emoji_key = r.emoji_key
     WHERE r.conversation_id = ? AND r.seq = ? ${emoji_key === undefined ? '' : 'AND r.emoji_key = ?'}
     ORDER BY r.created_at, r.user_id, k.n LIMIT ? OFFSET ?`,
    [conversation_id, seq, ...(emoji_key === undefined ? [] : [emoji_key]), limit, offset],
  );
  return rows.map((row) => ({ ...row, created_at: toDate(row.created_at) }));
}
