import type { EntityManager } from 'typeorm';
import type { ConversationId, UserId } from '../../common/ids';
import { cursorColumn } from '../../events/log/cursor';
import type { ConversationType } from '../entities/conversation.entity';
import type { Slice } from '../../common/http/page';
import type { ListKey } from '../rules/list-order';
import type { MemberRole } from '../entities/conversation-member.entity';
import { ofMembers, UNREAD } from './members.queries';
import type { MessageType } from '../rules/message-content';
import { type RawCount, type RawMoment, toCount, toDate, toMoment } from '../../database/dialect';

/*
 * Reading conversations as their members see them. `m` is the member's row, `c` the conversation's.
 */

/** In a large group the next message ends hiding without touching the row. */
const HIDDEN = 'CASE WHEN m.hidden = 1 AND (m.pulled = 0 OR m.hidden_seq >= c.max_seq) THEN 1 ELSE 0 END';

/** The message at the member's position, which is most often the newest; none before the first that the member sees. */
const LAST_READ_ID = `CASE WHEN m.read_seq < m.join_seq THEN NULL WHEN m.read_seq = c.max_seq THEN l.id
  ELSE (SELECT r.id FROM messages r WHERE r.conversation_id = m.conversation_id AND r.seq = m.read_seq) END`;

/**
 * A conversation with the newest message its member sees, and the peer of a single chat; the `last_…` and `peer_…`
 * fields are null when there is none.
 */
export interface ConversationRow extends ListKey {
  user_id: number;
  type: ConversationType;
  name: string;
  avatar: string | null;
  member_count: number;
  joined_at: RawMoment;
  role: MemberRole;
  muted: number;
  mute_until: RawMoment | null;
  hidden: number;
  unread_count: number;
  last_read_id: number | null;
  peer_id: number | null;
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

type RawRow = Omit<ConversationRow, 'pinned' | 'sort_at'> & { pinned: number; sort_at: RawMoment };

/** The rows of the members `m` that `source` selects. Names come along from the module identity's table. */
const rowsOf = (source: string): string =>
  `SELECT m.conversation_id, m.user_id, c.type, c.name, c.avatar, c.member_count, m.joined_at,
    m.role, m.pinned, m.muted, m.mute_until, ${HIDDEN} AS hidden, ${UNREAD} AS unread_count,
    ${LAST_READ_ID} AS last_read_id, m.peer_id, p.name AS peer_name, p.avatar AS peer_avatar,
    l.sender_id AS last_sender_id, s.name AS last_sender_name, l.type AS last_type, l.content AS last_content,
    l.extra AS last_extra, l.created_at AS last_at, l.recalled_at AS last_recalled_at,
    CASE WHEN m.pulled = 1 THEN COALESCE(l.created_at, m.joined_at) ELSE m.sort_at END AS sort_at
  FROM ${source}
  JOIN conversations c ON c.id = m.conversation_id
  LEFT JOIN messages l ON l.conversation_id = c.id AND l.seq = c.max_seq AND l.seq >= m.join_seq
  LEFT JOIN users s ON s.id = l.sender_id
  LEFT JOIN users p ON p.id = m.peer_id`;

async function readRows(em: EntityManager, sql: string, parameters: unknown[]): Promise<ConversationRow[]> {
  const rows = await em.query<RawRow[]>(sql, parameters);
  return rows.map((row) => Object.assign(row, { pinned: Boolean(row.pinned), sort_at: toDate(row.sort_at) }));
}

/** A conversation as one member sees it; undefined when there is no such conversation or the user is not in it. */
export async function conversationRow(
  em: EntityManager,
  userId: UserId,
  conversationId: ConversationId,
): Promise<ConversationRow | undefined> {
  const [row] = await rowsOfMembers(em, conversationId, [userId]);
  return row;
}

/** One conversation as all its members see it, or as some of them do. */
export async function rowsOfMembers(
  em: EntityManager,
  conversationId: number,
  userIds?: number[],
): Promise<ConversationRow[]> {
  const members = ofMembers(conversationId, userIds);
  return readRows(em, `${rowsOf('conversation_members m')} WHERE ${members.sql}`, members.parameters);
}

/** Unread messages of one conversation, for a member of it. */
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
 * Unread messages of all the user's conversations that are not muted: a sum that is kept, and one by one the large
 * groups, and those whose muting is over but for the sum, which does not know of it yet.
 */
export async function unreadTotalOf(em: EntityManager, userId: number, now: Date): Promise<number> {
  const at = toMoment(em, now);
  const [row] = await em.query<{ counted: RawCount; asked: RawCount; passed: RawCount }[]>(
    `SELECT (SELECT SUM(unread) FROM conversation_counts WHERE user_id = ?) AS counted,
            (SELECT SUM(${UNREAD}) FROM conversation_members m JOIN conversations c ON c.id = m.conversation_id
             WHERE m.user_id = ? AND m.pulled = 1 AND (m.muted = 0 OR m.mute_until <= ?)) AS asked,
            (SELECT SUM(${UNREAD}) FROM mute_ends e
             JOIN conversation_members m ON m.conversation_id = e.conversation_id AND m.user_id = e.user_id
             JOIN conversations c ON c.id = m.conversation_id
             WHERE e.user_id = ? AND e.ends_at <= ? AND m.pulled = 0 AND m.muted = 1) AS passed`,
    [userId, userId, at, userId, at],
  );
  return toCount(row?.counted) + toCount(row?.asked) + toCount(row?.passed);
}

/** Whose list, of which type (all when undefined), and whether of those that are hidden or of those that are not. */
export interface ListOf {
  userId: number;
  hidden: boolean;
  type?: ConversationType;
}

/** A slice of the user's conversations that are fanned out on write, in the list's order or `backwards`: one range of an index. */
export async function fanOutOnWriteRows(
  em: EntityManager,
  { userId, type, hidden }: ListOf,
  { offset, limit, backwards }: Slice & { backwards: boolean },
): Promise<ConversationRow[]> {
  if (limit === 0) return [];
  const order = backwards ? 'ASC' : 'DESC';
  const slice = `SELECT conversation_id, user_id FROM conversation_members
     WHERE user_id = ? AND pulled = 0 AND hidden = ${hidden ? 1 : 0} ${type === undefined ? '' : 'AND type = ?'}
     ORDER BY pinned ${order}, sort_at ${order}, conversation_id ${order} LIMIT ? OFFSET ?`;
  const members = `(${slice}) k
     JOIN conversation_members m ON m.conversation_id = k.conversation_id AND m.user_id = k.user_id`;
  const parameters = [userId, ...(type === undefined ? [] : [type]), limit, offset];
  return readRows(em, rowsOf(members), parameters);
}

/** The user's large groups, in no order. */
export async function fanOutOnReadRows(
  em: EntityManager,
  { userId, type }: ListOf,
): Promise<ConversationRow[]> {
  if (type === 'single') return [];
  return readRows(em, `${rowsOf('conversation_members m')} WHERE m.user_id = ? AND m.pulled = 1`, [userId]);
}

/**
 * How many conversations the user is in, less those fanned out on write that are hidden; of a list of hidden ones, how
 * many of those there are. And the user's event cursor.
 */
export async function countOf(
  em: EntityManager,
  { userId, type, hidden }: ListOf,
): Promise<{ count: number; cursor: number }> {
  const ofType = type === undefined ? '' : 'AND type = ?';
  const parameters = [userId, ...(type === undefined ? [] : [type])];
  const [row] = await em.query<{ shown: RawCount; event_cursor: number }[]>(
    `SELECT (SELECT SUM(${hidden ? 'hidden' : 'total - hidden'}) FROM conversation_counts WHERE user_id = ? ${ofType}) AS shown,
            ${cursorColumn('?')}`,
    [...parameters, userId],
  );
  return { count: toCount(row?.shown), cursor: row?.event_cursor ?? 0 };
}
