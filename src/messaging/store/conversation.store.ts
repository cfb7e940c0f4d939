import type { EntityManager } from 'typeorm';
import { cursorColumn } from '../../events/log/cursor';
import type { ConversationType } from '../entities/conversation.entity';
import type { Slice } from '../../common/http/page';
import type { ConversationListKey } from '../rules/list-order.rules';
import type { MemberRole } from '../entities/conversation-member.entity';
import { MENTION_ID, ofMembers } from './members.store';
import { UNREAD } from './membership.store';
import type { MessageType } from '../rules/message-content.rules';
import {
  forcePrimaryKey,
  placeholders,
  type RawCount,
  type RawTimestamp,
  toCount,
  toDate,
} from '../../database/sql/dialect';

/* Queries for conversations as their members see them. `m` is the member's row, `c` the conversation's. */

/** In a large group the next message ends the hiding without updating the row: `hidden_seq` is then below `max_seq`. */
const HIDDEN = 'CASE WHEN m.hidden = 1 AND (m.pulled = 0 OR m.hidden_seq >= c.max_seq) THEN 1 ELSE 0 END';

/**
 * Id of the message at the member's read position; null before the first message that the member sees. The position is
 * usually the newest message, which is joined already as `l`.
 */
const LAST_READ_ID = `CASE WHEN m.read_seq < m.join_seq THEN NULL WHEN m.read_seq = c.max_seq THEN l.id
  ELSE (SELECT r.id FROM messages r WHERE r.conversation_id = m.conversation_id AND r.seq = m.read_seq) END`;

/** A conversation with the newest message that its member sees; the `last_…` fields are null when there is none. */
export interface ConversationRow extends ConversationListKey {
  user_id: number;
  type: ConversationType;
  name: string;
  avatar: string | null;
  member_count: number;
  /** Whether the conversation is fanned out on read. */
  pulled: number;
  role: MemberRole;
  muted: number;
  mute_until: RawTimestamp | null;
  hidden: number;
  unread_count: number;
  mention_id: number | null;
  last_read_id: number | null;
  peer_id: number | null;
  /** Name of the peer in a single chat, of the sender of the newest message in a group; null when there is none. */
  person_name: string | null;
  person_avatar: string | null;
  last_id: number | null;
  last_sender_id: number | null;
  last_type: MessageType;
  last_content: string;
  last_extra: string | null;
  /** JSON of a notice; null for messages of users. */
  last_notice: string | null;
  last_is_recalled: number;
  /** Whether the member has deleted that message for themselves. */
  last_is_deleted: number;
  /** Whether the member has cleared the history up to that message. Only its time is shown then. */
  last_is_cleared: number;
}

interface RawListKey {
  pinned: number;
  sort_at: RawTimestamp;
}

type RawRow = Omit<ConversationRow, 'pinned' | 'sort_at'> & RawListKey;

/** The time by which a conversation is listed: sends update it in small conversations only. */
const SORT_AT = 'CASE WHEN m.pulled = 1 THEN COALESCE(l.created_at, m.joined_at) ELSE m.sort_at END';

/**
 * Selects the rows of the members `m` in `source`. Joins `users`, a table of the identity module, for names and
 * avatars.
 */
const rowsOf = (source: string, more = ''): string =>
  `SELECT m.conversation_id, m.user_id, m.pulled, c.type, c.name, c.avatar, c.member_count,
    m.role, m.pinned, m.muted, m.mute_until, ${HIDDEN} AS hidden, ${UNREAD} AS unread_count,
    ${LAST_READ_ID} AS last_read_id, ${MENTION_ID} AS mention_id, m.peer_id,
    u.name AS person_name, u.avatar AS person_avatar,
    l.id AS last_id, l.sender_id AS last_sender_id, l.type AS last_type, l.content AS last_content, l.extra AS last_extra,
    l.notice AS last_notice,
    l.recalled_at IS NOT NULL AS last_is_recalled,
    m.last_deleted_seq = c.max_seq AS last_is_deleted, m.cleared_seq >= c.max_seq AS last_is_cleared,
    ${SORT_AT} AS sort_at${more}
  FROM ${source}
  JOIN conversations c ON c.id = m.conversation_id
  LEFT JOIN messages l ON l.conversation_id = c.id AND l.seq = c.max_seq AND l.seq >= m.join_seq
  LEFT JOIN users u ON u.id = COALESCE(m.peer_id, l.sender_id)`;

async function readRows<More extends object>(
  em: EntityManager,
  sql: string,
  parameters: unknown[],
): Promise<(ConversationRow & More)[]> {
  const rows = await em.query<(RawRow & More)[]>(sql, parameters);
  return rows.map((row) => Object.assign(row, { pinned: Boolean(row.pinned), sort_at: toDate(row.sort_at) }));
}

/** Returns one conversation as each of its members sees it; all members when `userIds` is undefined. */
export async function rowsOfMembers(
  em: EntityManager,
  conversationId: number,
  userIds?: number[],
): Promise<ConversationRow[]> {
  const members = ofMembers(conversationId, userIds);
  const from = rowsOf(`conversation_members m ${forcePrimaryKey(em)}`);
  return readRows(em, `${from} WHERE ${members.sql}`, members.parameters);
}

/** Identifies a list of conversations: the user, the type (all types when undefined), and hidden or visible ones. */
export interface ListOf {
  userId: number;
  hidden: boolean;
  type?: ConversationType;
}

/** The data that a page of the list is built from. */
export interface ListStart {
  /**
   * Number of the user's conversations, without the hidden ones that are fanned out on write. In a list of hidden
   * conversations: the number of these.
   */
  count: number;
  /** The user's event cursor, read before the other data or with it. */
  cursor: number;
  /** The user's large groups, unordered. */
  fanOutOnRead: ConversationRow[];
  /** The first conversations that are fanned out on write, if they have been read already. */
  fanOutOnWrite?: ConversationRow[];
}

/** Builds the parts of the list statements, with their parameters. */
function partsOf({ userId, type, hidden }: ListOf) {
  const ofType = type === undefined ? '' : 'AND type = ?';
  const parameters = type === undefined ? [userId] : [userId, type];
  return {
    fanOutOnWrite: (order: 'ASC' | 'DESC'): string =>
      `SELECT conversation_id, user_id FROM conversation_members
       WHERE user_id = ? ${ofType} AND pulled = 0 AND hidden = ${hidden ? 1 : 0}
       ORDER BY pinned ${order}, sort_at ${order}, conversation_id ${order} LIMIT ? OFFSET ?`,
    fanOutOnRead: `SELECT conversation_id, user_id FROM conversation_members
       WHERE user_id = ? ${ofType} AND pulled = 1`,
    count: `(SELECT SUM(${hidden ? 'hidden' : 'total - hidden'}) FROM conversation_counts WHERE user_id = ? ${ofType})`,
    parameters,
  };
}

const membersIn = (keys: string): string =>
  `(${keys}) k JOIN conversation_members m ON m.conversation_id = k.conversation_id AND m.user_id = k.user_id`;

/**
 * Reads the data of page 1 with one statement: the first `limit` conversations that are fanned out on write, which are
 * one index range, and the large groups.
 */
export async function startOfFirstPage(em: EntityManager, list: ListOf, limit: number): Promise<ListStart> {
  const { fanOutOnWrite, fanOutOnRead, count, parameters } = partsOf(list);
  const keys = `SELECT conversation_id, user_id FROM (${fanOutOnWrite('DESC')}) w UNION ALL ${fanOutOnRead}`;
  const rows = await readRows<{ shown: RawCount; event_cursor: number }>(
    em,
    rowsOf(membersIn(keys), `, ${count} AS shown, ${cursorColumn('?')}`),
    [...parameters, list.userId, ...parameters, limit, 0, ...parameters],
  );
  const [first] = rows;
  // Without a row there is no cursor. It is read again before the rows: the first conversation may have been added in
  // between.
  if (first === undefined) return startOfLaterPage(em, list);
  const [large, small] = [rows.filter(({ pulled }) => pulled), rows.filter(({ pulled }) => !pulled)];
  return {
    count: toCount(first.shown),
    cursor: first.event_cursor,
    fanOutOnRead: large,
    fanOutOnWrite: small,
  };
}

/** Reads the data of any other page, for which the slice is not known yet, and of an empty list. */
export async function startOfLaterPage(em: EntityManager, list: ListOf): Promise<ListStart> {
  // The cursor is read before the data that it is sent with, so that the client misses no event in between.
  const counted = await countOf(em, list);
  const { fanOutOnRead, parameters } = partsOf(list);
  return { ...counted, fanOutOnRead: await readRows(em, rowsOf(membersIn(fanOutOnRead)), parameters) };
}

/**
 * Returns a slice of the user's conversations that are fanned out on write, in list order or `backwards`. It is one
 * index range.
 */
export async function fanOutOnWriteRows(
  em: EntityManager,
  list: ListOf,
  { offset, limit, backwards }: Slice & { backwards: boolean },
): Promise<ConversationRow[]> {
  if (limit === 0) return [];
  const { fanOutOnWrite, parameters } = partsOf(list);
  const keys = fanOutOnWrite(backwards ? 'ASC' : 'DESC');
  return readRows(em, rowsOf(membersIn(keys)), [...parameters, limit, offset]);
}

/**
 * Counts the conversations of a list before its large groups are filtered (see `ListStart`), and reads the user's event
 * cursor.
 */
export async function countOf(em: EntityManager, list: ListOf): Promise<{ count: number; cursor: number }> {
  const { count, parameters } = partsOf(list);
  const [row] = await em.query<{ shown: RawCount; event_cursor: number }[]>(
    `SELECT ${count} AS shown, ${cursorColumn('?')}`,
    [...parameters, list.userId],
  );
  return { count: toCount(row?.shown), cursor: row?.event_cursor ?? 0 };
}

/** The texts by which a conversation is found, and its place in the list. */
export interface ConversationNames extends ConversationListKey {
  name: string;
  person_name: string | null;
  account: string | null;
}

/**
 * Returns the names of a list of conversations, with one statement: names are folded by the service, because the
 * databases fold differently. Joins `users`, a table of the identity module.
 */
export async function namesOfConversations(
  em: EntityManager,
  { userId, type, hidden }: ListOf,
): Promise<ConversationNames[]> {
  const ofType = type === undefined ? '' : 'AND m.type = ?';
  const rows = await em.query<(Omit<ConversationNames, 'pinned' | 'sort_at'> & RawListKey)[]>(
    `SELECT m.conversation_id, c.name, u.name AS person_name, u.account, m.pinned, ${SORT_AT} AS sort_at
     FROM conversation_members m
     JOIN conversations c ON c.id = m.conversation_id
     LEFT JOIN users u ON u.id = m.peer_id
     LEFT JOIN messages l ON m.pulled = 1 AND l.conversation_id = c.id AND l.seq = c.max_seq AND l.seq >= m.join_seq
     WHERE m.user_id = ? ${ofType} AND ${HIDDEN} = ?`,
    [userId, ...(type === undefined ? [] : [type]), hidden ? 1 : 0],
  );
  return rows.map((row) => ({ ...row, pinned: Boolean(row.pinned), sort_at: toDate(row.sort_at) }));
}

/** Returns some conversations of a user, in no particular order. */
export function rowsOfConversations(
  em: EntityManager,
  userId: number,
  conversationIds: readonly number[],
): Promise<ConversationRow[]> {
  if (conversationIds.length === 0) return Promise.resolve([]);
  return readRows(
    em,
    `${rowsOf('conversation_members m')} WHERE m.user_id = ? AND m.conversation_id IN (${placeholders(conversationIds)})`,
    [userId, ...conversationIds],
  );
}
