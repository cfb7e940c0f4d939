import type { EntityManager } from 'typeorm';
import type { ConversationType } from './entities/conversation.entity';
import type { ListKey, Slice } from './list-order';
import type { MessageType } from './message-content';
import { type RawMoment, toDate } from '../database/raw-values';
import { placeholders } from './rows';

/*
 * Reading conversations as their members see them. `m` is the member's row, `c` the conversation's.
 */

/** What comes after one's position is others' (sending moves it), so only recalled messages are taken off. */
export const UNREAD = `c.max_seq - m.read_seq - CASE WHEN c.last_recalled_seq > m.read_seq
  THEN (SELECT COUNT(*) FROM message_recalls r WHERE r.conversation_id = c.id AND r.seq > m.read_seq)
  ELSE 0 END`;

/**
 * A conversation with the newest message its member sees, and the peer of a single chat; the `last_…` and `peer_…`
 * fields are null when there is none.
 */
export interface ConversationRow {
  conversation_id: number;
  user_id: number;
  type: ConversationType;
  name: string;
  avatar: string | null;
  member_count: number;
  joined_at: RawMoment;
  unread_count: number;
  peer_name: string | null;
  peer_avatar: string | null;
  last_sender_id: number | null;
  last_sender_name: string | null;
  last_type: MessageType;
  last_content: string;
  last_extra: string | null;
  last_at: RawMoment;
  last_recalled_at: RawMoment | null;
}

/** Names come along from the module identity's table. The CASE keeps the members of groups from being looked through. */
const ROWS = `SELECT m.conversation_id, m.user_id, c.type, c.name, c.avatar, c.member_count, m.joined_at,
    ${UNREAD} AS unread_count,
    p.name AS peer_name, p.avatar AS peer_avatar,
    l.sender_id AS last_sender_id, s.name AS last_sender_name, l.type AS last_type, l.content AS last_content,
    l.extra AS last_extra, l.created_at AS last_at, l.recalled_at AS last_recalled_at
  FROM conversation_members m
  JOIN conversations c ON c.id = m.conversation_id
  LEFT JOIN messages l ON l.conversation_id = c.id AND l.seq = c.max_seq AND l.seq >= m.join_seq
  LEFT JOIN users s ON s.id = l.sender_id
  LEFT JOIN conversation_members o ON o.conversation_id = CASE WHEN c.type = 'single' THEN c.id END
    AND o.user_id <> m.user_id
  LEFT JOIN users p ON p.id = o.user_id`;

/** The given conversations as a member of them sees them, in no order. */
export async function conversationRows(
  em: EntityManager,
  userId: number,
  ids: number[],
): Promise<ConversationRow[]> {
  if (ids.length === 0) return [];
  return em.query<ConversationRow[]>(
    `${ROWS} WHERE m.user_id = ? AND m.conversation_id IN (${placeholders(ids)})`,
    [userId, ...ids],
  );
}

/** One conversation as all its members see it, or as one of them does. */
export async function rowsOfMembers(
  em: EntityManager,
  conversationId: number,
  userId?: number,
): Promise<ConversationRow[]> {
  return em.query<ConversationRow[]>(
    `${ROWS} WHERE m.conversation_id = ? ${userId === undefined ? '' : 'AND m.user_id = ?'}`,
    userId === undefined ? [conversationId] : [conversationId, userId],
  );
}

/** Unread messages of a conversation, by member. */
export async function unreadCountsOf(
  em: EntityManager,
  conversationId: number,
): Promise<Map<number, number>> {
  const rows = await em.query<{ user_id: number; n: number }[]>(
    `SELECT m.user_id, ${UNREAD} AS n FROM conversation_members m
     JOIN conversations c ON c.id = m.conversation_id WHERE m.conversation_id = ?`,
    [conversationId],
  );
  return new Map(rows.map(({ user_id, n }) => [user_id, n]));
}

/** Unread messages of one conversation, for a member of it. */
export async function unreadCountOf(
  em: EntityManager,
  conversationId: number,
  userId: number,
): Promise<number> {
  const [row] = await em.query<{ n: number }[]>(
    `SELECT ${UNREAD} AS n FROM conversation_members m JOIN conversations c ON c.id = m.conversation_id
     WHERE m.conversation_id = ? AND m.user_id = ?`,
    [conversationId, userId],
  );
  return row?.n ?? 0;
}

/** Unread messages of a conversation for a member of it, and the id of message number `seq`, if there is one. */
export async function positionOf(
  em: EntityManager,
  { conversation_id, user_id }: { conversation_id: number; user_id: number },
  seq: number,
): Promise<{ unread_count: number; message_id: number | null }> {
  const [row] = await em.query<{ unread_count: number; message_id: number | null }[]>(
    `SELECT ${UNREAD} AS unread_count, l.id AS message_id FROM conversation_members m
     JOIN conversations c ON c.id = m.conversation_id
     LEFT JOIN messages l ON l.conversation_id = c.id AND l.seq = ?
     WHERE m.conversation_id = ? AND m.user_id = ?`,
    [seq, conversation_id, user_id],
  );
  return row ?? { unread_count: 0, message_id: null };
}

/** Unread messages of all the user's conversations that are not muted. */
export async function unreadTotalOf(em: EntityManager, userId: number): Promise<number> {
  const [row] = await em.query<{ n: number | string | null }[]>(
    `SELECT SUM(${UNREAD}) AS n FROM conversation_members m JOIN conversations c ON c.id = m.conversation_id
     WHERE m.user_id = ? AND m.muted = 0`,
    [userId],
  );
  return Number(row?.n ?? 0);
}

/** Whose list, and of which type (all when undefined). */
export interface ListOf {
  userId: number;
  type?: ConversationType;
}

interface RawListKey {
  conversation_id: number;
  pinned: number;
  sort_at: RawMoment;
}

const toListKey = ({ conversation_id, pinned, sort_at }: RawListKey): ListKey => ({
  conversation_id,
  pinned: Boolean(pinned),
  sort_at: toDate(sort_at),
});

/** A slice of the user's pushed conversations, in the list's order or `backwards`: one range of an index. */
export async function pushedKeys(
  em: EntityManager,
  { userId, type }: ListOf,
  { offset, limit, backwards }: Slice & { backwards: boolean },
): Promise<ListKey[]> {
  if (limit === 0) return [];
  const order = backwards ? 'ASC' : 'DESC';
  const rows = await em.query<RawListKey[]>(
    `SELECT conversation_id, pinned, sort_at FROM conversation_members
     WHERE user_id = ? AND pulled = 0 AND hidden = 0 ${type === undefined ? '' : 'AND type = ?'}
     ORDER BY pinned ${order}, sort_at ${order}, conversation_id ${order} LIMIT ? OFFSET ?`,
    [userId, ...(type === undefined ? [] : [type]), limit, offset],
  );
  return rows.map(toListKey);
}

/** The user's large groups, in no order; those that are hidden until the next message apart. */
export async function pulledKeys(
  em: EntityManager,
  { userId, type }: ListOf,
): Promise<{ shown: ListKey[]; hiddenCount: number }> {
  if (type === 'single') return { shown: [], hiddenCount: 0 };
  const rows = await em.query<(RawListKey & { is_hidden: number })[]>(
    `SELECT m.conversation_id, m.pinned, COALESCE(l.created_at, m.joined_at) AS sort_at,
            CASE WHEN m.hidden = 1 AND m.hidden_seq >= c.max_seq THEN 1 ELSE 0 END AS is_hidden
     FROM conversation_members m
     JOIN conversations c ON c.id = m.conversation_id
     LEFT JOIN messages l ON l.conversation_id = c.id AND l.seq = c.max_seq AND l.seq >= m.join_seq
     WHERE m.user_id = ? AND m.pulled = 1`,
    [userId],
  );
  const shown = rows.filter(({ is_hidden }) => !is_hidden);
  return { shown: shown.map(toListKey), hiddenCount: rows.length - shown.length };
}

/** How many conversations the user is in, less the pushed ones that are hidden. */
export async function countOf(em: EntityManager, { userId, type }: ListOf): Promise<number> {
  const ofType = type === undefined ? '' : 'AND type = ?';
  const parameters = [userId, ...(type === undefined ? [] : [type])];
  const [row] = await em.query<{ total: number | string | null; hidden: number | string }[]>(
    `SELECT (SELECT SUM(total) FROM conversation_counts WHERE user_id = ? ${ofType}) AS total,
            (SELECT COUNT(*) FROM conversation_members
             WHERE user_id = ? AND pulled = 0 AND hidden = 1 ${ofType}) AS hidden`,
    [...parameters, ...parameters],
  );
  return Number(row?.total ?? 0) - Number(row?.hidden ?? 0);
}
