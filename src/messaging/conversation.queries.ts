import type { EntityManager } from 'typeorm';
import type { ConversationType } from './entities/conversation.entity';
import type { ListKey, Slice } from './list-order';
import { ofMembers, UNREAD } from './members.queries';
import type { MessageType } from './message-content';
import { type RawMoment, toDate } from '../database/raw-values';
import { placeholders } from './rows';

/*
 * Reading conversations as their members see them. `m` is the member's row, `c` the conversation's.
 */

/** In a large group the next message ends hiding without touching the row. */
const HIDDEN = 'CASE WHEN m.hidden = 1 AND (m.pulled = 0 OR m.hidden_seq >= c.max_seq) THEN 1 ELSE 0 END';

/** A conversation with the newest message its member sees; the `last_…` fields are null when there is none. */
export interface ConversationRow {
  conversation_id: number;
  user_id: number;
  type: ConversationType;
  single_key: string | null;
  name: string;
  avatar: string | null;
  member_count: number;
  joined_at: RawMoment;
  pinned: number;
  muted: number;
  hidden: number;
  unread_count: number;
  last_sender_id: number | null;
  last_type: MessageType;
  last_content: string;
  last_extra: string | null;
  last_at: RawMoment;
  last_recalled_at: RawMoment | null;
}

const ROWS = `SELECT m.conversation_id, m.user_id, c.type, c.single_key, c.name, c.avatar, c.member_count, m.joined_at,
    m.pinned, m.muted, ${HIDDEN} AS hidden, ${UNREAD} AS unread_count,
    l.sender_id AS last_sender_id, l.type AS last_type, l.content AS last_content,
    l.extra AS last_extra, l.created_at AS last_at, l.recalled_at AS last_recalled_at
  FROM conversation_members m
  JOIN conversations c ON c.id = m.conversation_id
  LEFT JOIN messages l ON l.conversation_id = c.id AND l.seq = c.max_seq AND l.seq >= m.join_seq`;

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

/** One conversation as all its members see it, or as some of them do. */
export async function rowsOfMembers(
  em: EntityManager,
  conversationId: number,
  userIds?: number[],
): Promise<ConversationRow[]> {
  const members = ofMembers(conversationId, userIds);
  return em.query<ConversationRow[]>(`${ROWS} WHERE ${members.sql}`, members.parameters);
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
            ${HIDDEN} AS is_hidden
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
