import type { EntityManager } from 'typeorm';
import type { ConversationId, UserId } from '../../common/ids';
import {
  placeholders,
  type RawCount,
  straightJoin,
  toCount,
  toSqlTimestamp,
} from '../../database/sql/dialect';
import { UNREAD } from './membership.store';

/** Returns the number of unread messages that a member has in one conversation. */
export async function unreadCountOf(
  em: EntityManager,
  userId: UserId,
  conversationId: ConversationId,
): Promise<number> {
  const [row] = await em.query<{ n: number }[]>(
    `SELECT ${UNREAD} AS n FROM conversation_members m JOIN conversations c ON c.id = m.conversation_id
     WHERE m.conversation_id = ? AND m.user_id = ?`,
    [conversationId, userId],
  );
  return row?.n ?? 0;
}

/**
 * Returns the number of unread messages in all of the user's conversations that are not muted. Adds up the stored sum;
 * the large groups, which the sum leaves out; and the conversations whose mute has expired but is still in `mute_ends`,
 * which the sum does not include yet.
 */
export async function unreadTotalOf(em: EntityManager, userId: number, now: Date): Promise<number> {
  const at = toSqlTimestamp(em, now);
  const [row] = await em.query<{ counted: RawCount; asked: RawCount; passed: RawCount }[]>(
    `SELECT (SELECT SUM(unread) FROM conversation_counts WHERE user_id = ?) AS counted,
            (SELECT SUM(${UNREAD}) FROM conversation_members m JOIN conversations c ON c.id = m.conversation_id
             WHERE m.user_id = ? AND m.pulled = 1 AND (m.muted = 0 OR m.mute_until <= ?)) AS asked,
            (SELECT SUM(${UNREAD}) FROM mute_ends e
             ${straightJoin(em)} conversation_members m
               ON m.conversation_id = e.conversation_id AND m.user_id = e.user_id
             ${straightJoin(em)} conversations c ON c.id = m.conversation_id
             WHERE e.user_id = ? AND e.ends_at <= ? AND m.pulled = 0 AND m.muted = 1) AS passed`,
    [userId, userId, at, userId, at],
  );
  return toCount(row?.counted) + toCount(row?.asked) + toCount(row?.passed);
}

/** Returns what `unreadTotalOf` returns, for many users with one statement. Users without unread messages may be missing. */
export async function unreadTotalsOf(
  em: EntityManager,
  userIds: readonly number[],
  now: Date,
): Promise<Map<number, number>> {
  const at = toSqlTimestamp(em, now);
  const among = placeholders(userIds);
  const rows = await em.query<{ user_id: number | string; unread: RawCount }[]>(
    `SELECT user_id, unread FROM conversation_counts WHERE user_id IN (${among})
     UNION ALL
     SELECT m.user_id, ${UNREAD} FROM conversation_members m JOIN conversations c ON c.id = m.conversation_id
     WHERE m.user_id IN (${among}) AND m.pulled = 1 AND (m.muted = 0 OR m.mute_until <= ?)
     UNION ALL
     SELECT m.user_id, ${UNREAD} FROM mute_ends e
     ${straightJoin(em)} conversation_members m
       ON m.conversation_id = e.conversation_id AND m.user_id = e.user_id
     ${straightJoin(em)} conversations c ON c.id = m.conversation_id
     WHERE e.user_id IN (${among}) AND e.ends_at <= ? AND m.pulled = 0 AND m.muted = 1`,
    [...userIds, ...userIds, at, ...userIds, at],
  );
  const totals = new Map<number, number>();
  for (const { user_id, unread } of rows)
    totals.set(Number(user_id), (totals.get(Number(user_id)) ?? 0) + toCount(unread));
  return totals;
}
