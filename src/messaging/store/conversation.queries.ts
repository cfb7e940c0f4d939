import type { EntityManager } from 'typeorm';
import type { ConversationId, UserId } from '../../common/ids';
import { cursorColumn } from '../../events/log/cursor';
import type { ConversationType } from '../entities/conversation.entity';
import type { Slice } from '../../common/http/page';
import type { ListKey } from '../rules/list-order';
import type { MemberRole } from '../entities/conversation-member.entity';
import { MENTION_ID, ofMembers, UNREAD } from './members.queries';
import type { MessageType } from '../rules/message-content';
import {
  inThisOrder,
  type RawCount,
  type RawMoment,
  toCount,
  toDate,
  toMoment,
} from '../../database/dialect';

/*
 * Reading conversations as their members see them. `m` is the member's row, `c` the conversation's.
 */

/** In a large group the next message ends hiding without touching the row. */
const HIDDEN = 'CASE WHEN m.hidden = 1 AND (m.pulled = 0 OR m.hidden_seq >= c.max_seq) THEN 1 ELSE 0 END';

/** The message at the member's position, which is most often the newest; none before the first that the member sees. */
const LAST_READ_ID = `CASE WHEN m.read_seq < m.join_seq THEN NULL WHEN m.read_seq = c.max_seq THEN l.id
  ELSE (SELECT r.id FROM messages r WHERE r.conversation_id = m.conversation_id AND r.seq = m.read_seq) END`;

/** A conversation with the newest message that its member sees; the `last_…` fields are null when there is none. */
export interface ConversationRow extends ListKey {
  user_id: number;
  type: ConversationType;
  name: string;
  avatar: string | null;
  member_count: number;
  /** Whether it is fanned out on read. */
  pulled: number;
  role: MemberRole;
  muted: number;
  mute_until: RawMoment | null;
  hidden: number;
  unread_count: number;
  mention_id: number | null;
  last_read_id: number | null;
  peer_id: number | null;
  /** Of a single chat the peer, of a group the sender of the newest message; null when there is none. */
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
  /** For oneself. */
  last_is_deleted: number;
  /** For oneself: then only its time is told. */
  last_is_cleared: number;
}

type RawRow = Omit<ConversationRow, 'pinned' | 'sort_at'> & { pinned: number; sort_at: RawMoment };

/** The rows of the members `m` that `source` selects. Names come along from the module identity's table. */
const rowsOf = (source: string, more = ''): string =>
  `SELECT m.conversation_id, m.user_id, m.pulled, c.type, c.name, c.avatar, c.member_count,
    m.role, m.pinned, m.muted, m.mute_until, ${HIDDEN} AS hidden, ${UNREAD} AS unread_count,
    ${LAST_READ_ID} AS last_read_id, ${MENTION_ID} AS mention_id, m.peer_id,
    u.name AS person_name, u.avatar AS person_avatar,
    l.id AS last_id, l.sender_id AS last_sender_id, l.type AS last_type, l.content AS last_content, l.extra AS last_extra,
    l.notice AS last_notice,
    l.recalled_at IS NOT NULL AS last_is_recalled,
    m.last_deleted_seq = c.max_seq AS last_is_deleted, m.cleared_seq >= c.max_seq AS last_is_cleared,
    CASE WHEN m.pulled = 1 THEN COALESCE(l.created_at, m.joined_at) ELSE m.sort_at END AS sort_at${more}
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
             ${inThisOrder(em)} conversation_members m
               ON m.conversation_id = e.conversation_id AND m.user_id = e.user_id
             ${inThisOrder(em)} conversations c ON c.id = m.conversation_id
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

/** What a page of the list begins with. */
export interface ListStart {
  /**
   * How many conversations the user is in, less those fanned out on write that are hidden; of a list of hidden ones, how
   * many of those there are.
   */
  count: number;
  /** The user's event cursor, read before or with everything else. */
  cursor: number;
  /** The user's large groups, in no order. */
  fanOutOnRead: ConversationRow[];
  /** The first of all others, where they are known already. */
  fanOutOnWrite?: ConversationRow[];
}

/** The parts of statements about a list, and their parameters. */
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

/** What page 1 of the list needs, with one statement: the first `limit` rows of a range of an index, and the large groups. */
export async function startOfFirstPage(em: EntityManager, of: ListOf, limit: number): Promise<ListStart> {
  const { fanOutOnWrite, fanOutOnRead, count, parameters } = partsOf(of);
  const keys = `SELECT conversation_id, user_id FROM (${fanOutOnWrite('DESC')}) w UNION ALL ${fanOutOnRead}`;
  const rows = await readRows<{ shown: RawCount; event_cursor: number }>(
    em,
    rowsOf(membersIn(keys), `, ${count} AS shown, ${cursorColumn('?')}`),
    [...parameters, of.userId, ...parameters, limit, 0, ...parameters],
  );
  const [first] = rows;
  // No row has brought the cursor along. It is asked for before the rows then: the first may have come in between.
  if (first === undefined) return startOfLaterPage(em, of);
  const [large, others] = [rows.filter(({ pulled }) => pulled), rows.filter(({ pulled }) => !pulled)];
  return {
    count: toCount(first.shown),
    cursor: first.event_cursor,
    fanOutOnRead: large,
    fanOutOnWrite: others,
  };
}

/** What any other page needs before it is known where it lies, and an empty list. */
export async function startOfLaterPage(em: EntityManager, of: ListOf): Promise<ListStart> {
  // The cursor comes before all that it is sent with.
  const head = await countOf(em, of);
  const { fanOutOnRead, parameters } = partsOf(of);
  return { ...head, fanOutOnRead: await readRows(em, rowsOf(membersIn(fanOutOnRead)), parameters) };
}

/** A slice of the user's conversations that are fanned out on write, in the list's order or `backwards`: one range of an index. */
export async function fanOutOnWriteRows(
  em: EntityManager,
  of: ListOf,
  { offset, limit, backwards }: Slice & { backwards: boolean },
): Promise<ConversationRow[]> {
  if (limit === 0) return [];
  const { fanOutOnWrite, parameters } = partsOf(of);
  const keys = fanOutOnWrite(backwards ? 'ASC' : 'DESC');
  return readRows(em, rowsOf(membersIn(keys)), [...parameters, limit, offset]);
}

/** How many conversations a list counts before its large groups are looked at (`ListStart`); and the user's event cursor. */
export async function countOf(em: EntityManager, of: ListOf): Promise<{ count: number; cursor: number }> {
  const { count, parameters } = partsOf(of);
  const [row] = await em.query<{ shown: RawCount; event_cursor: number }[]>(
    `SELECT ${count} AS shown, ${cursorColumn('?')}`,
    [...parameters, of.userId],
  );
  return { count: toCount(row?.shown), cursor: row?.event_cursor ?? 0 };
}
