import type { EntityManager } from 'typeorm';
import type { ConversationId, MessageId, UserId } from '../../common/ids';
import type { TimeRange } from '../../common/day-range';
import { allOf, placeholders, type SqlPart, toSqlTimestamp } from '../../database/sql/dialect';
import type { MessageType } from '../rules/message-content.rules';
import { MAX_FILTERED_MESSAGES } from './pair-filter.rules';
import type { FoundConversationResponse } from './search.dto';
import type { SearchSegment, StoredFilter } from './search-walk.rules';

/* Queries of the search. */

/** Conditions on a message besides its text. */
export interface SearchFilter {
  types: readonly MessageType[];
  sender_id?: UserId;
  time: TimeRange;
}

/** A message whose text is searched. */
export interface SearchableMessage {
  conversation_id: ConversationId;
  seq: number;
  id: MessageId;
  type: MessageType;
  content: string;
  extra: string | null;
}

/**
 * Returns the filters of these segments in the order of the search, at most `limit`. The upper bound of `to_seq`, by the
 * size of a filter, makes each segment one range of the primary key; a search that is far down would otherwise read the
 * filters above it again.
 */
export async function filtersOf(
  em: EntityManager,
  segments: readonly SearchSegment[],
  limit: number,
): Promise<StoredFilter[]> {
  if (segments.length === 0) return [];
  return em.query<StoredFilter[]>(
    `SELECT conversation_id, from_seq, to_seq, bits FROM message_filters
     WHERE ${segments.map(() => '(conversation_id = ? AND to_seq >= ? AND to_seq < ? AND from_seq <= ?)').join(' OR ')}
     ORDER BY conversation_id DESC, to_seq DESC LIMIT ${limit}`,
    segments.flatMap(({ conversation_id, from, to }) => [
      conversation_id,
      from,
      to + MAX_FILTERED_MESSAGES,
      to,
    ]),
  );
}

/** Returns the messages of these ranges that match, in the order of the search, without notices and recalled ones. */
export async function searchableIn(
  em: EntityManager,
  ranges: readonly SearchSegment[],
  { types, sender_id, time }: SearchFilter,
): Promise<SearchableMessage[]> {
  if (ranges.length === 0 || types.length === 0) return [];
  const conditions: SqlPart[] = [];
  const where = (sql: string, ...parameters: unknown[]): void => void conditions.push({ sql, parameters });
  where('recalled_at IS NULL AND notice IS NULL');
  where(`type IN (${placeholders(types)})`, ...types);
  if (sender_id !== undefined) where('sender_id = ?', sender_id);
  if (time.from !== undefined) where('created_at >= ?', toSqlTimestamp(em, time.from));
  if (time.before !== undefined) where('created_at < ?', toSqlTimestamp(em, time.before));
  where(
    `(${ranges.map(() => '(conversation_id = ? AND seq BETWEEN ? AND ?)').join(' OR ')})`,
    ...ranges.flatMap(({ conversation_id, from, to }) => [conversation_id, from, to]),
  );
  const { sql, parameters } = allOf(conditions);
  return em.query<SearchableMessage[]>(
    `SELECT conversation_id, seq, id, type, content, extra FROM messages${sql}
     ORDER BY conversation_id DESC, seq DESC`,
    parameters,
  );
}

/** Returns conversations of a user, as the user sees them. */
export async function foundConversations(
  em: EntityManager,
  userId: UserId,
  ids: readonly number[],
): Promise<Map<number, FoundConversationResponse>> {
  if (ids.length === 0) return new Map();
  const rows = await em.query<FoundConversationResponse[]>(
    `SELECT c.id, c.type, CASE WHEN c.type = 'group' THEN c.name ELSE COALESCE(u.name, '') END AS name,
       CASE WHEN c.type = 'group' THEN c.avatar ELSE u.avatar END AS avatar
     FROM conversation_members m JOIN conversations c ON c.id = m.conversation_id
     LEFT JOIN users u ON u.id = m.peer_id
     WHERE m.user_id = ? AND m.conversation_id IN (${placeholders(ids)})`,
    [userId, ...ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
