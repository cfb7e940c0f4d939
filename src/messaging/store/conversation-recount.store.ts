import type { EntityManager } from 'typeorm';
import { nextIdsOf, type RawCount, toCount } from '../../database/sql/dialect';
import { findRows, updateRows } from '../../database/sql/statements';
import { ConversationCountEntity } from '../entities/conversation-count.entity';
import type { ConversationType } from '../entities/conversation.entity';
import type { ConversationCounts } from './conversation-counts.store';
import { UNREAD } from './membership.store';

/* Recomputes users' counts from the members' rows. */

/** Returns the next ids of users with conversations or counts, in ascending order. */
export async function usersWithCounts(em: EntityManager, after: number, limit: number): Promise<number[]> {
  const sources = [nextIdsOf('conversation_members', 'user_id'), nextIdsOf('conversation_counts', 'user_id')];
  const rows = await em.query<{ id: number }[]>(`${sources.join(' UNION ')} ORDER BY id LIMIT ?`, [
    ...sources.flatMap(() => [after, limit]),
    limit,
  ]);
  return rows.map(({ id }) => id);
}

/** Returns the types of which a user has conversations or counts. */
export async function typesWithCounts(em: EntityManager, userId: number): Promise<ConversationType[]> {
  const rows = await em.query<{ type: ConversationType }[]>(
    `SELECT type FROM conversation_members WHERE user_id = ?
     UNION SELECT type FROM conversation_counts WHERE user_id = ?`,
    [userId, userId],
  );
  return rows.map(({ type }) => type);
}

/** Counts a user's conversations of one type from the members' rows. */
export async function recountConversations(
  em: EntityManager,
  userId: number,
  type: ConversationType,
): Promise<ConversationCounts> {
  const [row] = await em.query<Record<keyof ConversationCounts, RawCount>[]>(
    `SELECT COUNT(*) AS total,
       SUM(CASE WHEN m.pulled = 0 AND m.hidden = 1 THEN 1 ELSE 0 END) AS hidden,
       SUM(CASE WHEN m.pulled = 0 AND m.muted = 0 THEN ${UNREAD} ELSE 0 END) AS unread
     FROM conversation_members m JOIN conversations c ON c.id = m.conversation_id
     WHERE m.user_id = ? AND m.type = ?`,
    [userId, type],
  );
  return { total: toCount(row?.total), hidden: toCount(row?.hidden), unread: toCount(row?.unread) };
}

/** Returns the stored counts of a user's conversations of one type, which are locked. */
export async function storedCounts(
  em: EntityManager,
  user_id: number,
  type: ConversationType,
): Promise<ConversationCounts> {
  const [counts] = await findRows(em, ConversationCountEntity, { user_id, type });
  return counts as ConversationCounts;
}

/** Replaces the stored counts of a user's conversations of one type, which are locked. */
export async function storeCounts(
  em: EntityManager,
  user_id: number,
  type: ConversationType,
  counts: ConversationCounts,
): Promise<void> {
  await updateRows<ConversationCountEntity>(em, ConversationCountEntity, { user_id, type }, counts);
}
