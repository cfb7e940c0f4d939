import type { FastifyInstance } from 'fastify';
import { select } from './database';
import { callerOf, itemsPage, NO_EVENTS, notMeasured, ok, type Page, pageOf } from './http';
import { dateTime, relative } from './local-time';
import { displayOf } from './messages';

interface Listed {
  total: number;
  id: number;
  type: string;
  name: string;
  avatar: string | null;
  member_count: number;
  pinned: number;
  unread: number;
  peer_name: string | null;
  peer_avatar: string | null;
  has_last: number;
  last_id: number | null;
  last_sender_id: number;
  last_sender_name: string | null;
  last_type: string;
  last_content: string;
  last_extra: string | null;
  last_at: Date;
  is_last_recalled: number;
  read_id: number | null;
  muted: number;
  mute_until: Date | null;
  role: string;
  peer_id: number | null;
  pulled: number;
}

/**
 * Fields of a conversation in the list. The unread count is the difference of two sequence numbers, minus the recalled
 * messages above the reader's position, if there are any.
 */
const LISTED = `SELECT STRAIGHT_JOIN t.total, c.id, c.type, c.name, c.avatar, c.member_count, m.pinned,
    c.max_seq - m.read_seq - IF(c.last_recalled_seq > m.read_seq,
      (SELECT COUNT(*) FROM recalls r WHERE r.conversation_id = c.id AND r.seq > m.read_seq), 0) AS unread,
    peer.name AS peer_name, peer.avatar AS peer_avatar,
    c.max_seq >= m.join_seq AS has_last, l.id AS last_id, c.last_sender_id, sender.name AS last_sender_name, c.last_type, c.last_content,
    c.last_extra, IF(c.max_seq >= m.join_seq, c.last_at, m.joined_at) AS last_at,
    c.last_recalled_seq = c.max_seq AS is_last_recalled, m.read_id, m.muted, m.mute_until, m.role, m.peer_id, m.pulled`;

/** In a single chat, the response contains the sender's name only if the message was recalled. */
const JOINS = `JOIN conversation_totals t ON t.user_id = m.user_id
  JOIN conversations c ON c.id = m.conversation_id
  LEFT JOIN messages l ON l.conversation_id = c.id AND l.seq = c.max_seq
  LEFT JOIN users peer ON peer.id = m.peer_id
  LEFT JOIN users sender
    ON sender.id = IF(c.type = 'single' AND c.last_recalled_seq < c.max_seq, NULL, c.last_sender_id)`;
const OWN = 'FROM members m FORCE INDEX (list)';
const IN_ORDER =
  'ORDER BY m.pulled DESC, m.pinned DESC, m.sort_at DESC, m.conversation_id DESC LIMIT ? OFFSET ?';

/**
 * Scans the index in list order. The user's large groups come first in it: no index contains their position in the
 * list.
 */
const FIRST_PAGE = `${LISTED} ${OWN} ${JOINS} WHERE m.user_id = ? ${IN_ORDER}`;

const LARGE_GROUPS = `${LISTED} ${OWN} ${JOINS} WHERE m.user_id = ? AND m.pulled = 1`;

/** Skips rows in the index alone and reads only the rows of the page. */
const LATER_PAGE = `${LISTED} FROM (SELECT m.conversation_id, m.user_id ${OWN}
    WHERE m.user_id = ? AND m.pulled = 0 ${IN_ORDER}) k
  JOIN members m ON m.conversation_id = k.conversation_id AND m.user_id = k.user_id ${JOINS}`;

/** The first page leaves room for this many large groups. A user who is in more of them needs a second query. */
const FEW = 4;

/** Route of the list of the user's conversations. */
export function conversations(server: FastifyInstance): void {
  server.get('/api/messages/conversations', async (request, reply) => {
    const { id: userId } = callerOf(request);
    const { type, hidden } = request.query as { type?: string; hidden?: string };
    if ((type ?? hidden) !== undefined) throw notMeasured('a list of one type, or of hidden ones');
    const page = pageOf(request, 20);
    const { rows, total } = await pageOfList(userId, page);
    void reply.headers(NO_EVENTS).header('X-Pinned-Count', rows.filter(({ pinned }) => pinned === 1).length);
    const now = new Date();
    const items = rows.map((row) => toItem(row, userId, now));
    return ok(reply, itemsPage(reply, items, total, page));
  });
}

/**
 * Returns the page, selected from its candidates: all large groups, and as many other conversations as both may fill.
 */
async function pageOfList(
  userId: number,
  { page, per_page }: Page,
): Promise<{ rows: Listed[]; total: number }> {
  const before = (page - 1) * per_page;
  const { found, offset } =
    page === 1 ? await start(userId, per_page) : await further(userId, before, per_page);
  const rows = found
    .toSorted((a, b) => b.pinned - a.pinned || b.last_at.getTime() - a.last_at.getTime() || b.id - a.id)
    .slice(before - offset, before - offset + per_page);
  return { rows, total: found[0]?.total ?? (await totalOf(userId)) };
}

async function start(
  userId: number,
  take: number,
  large = FEW,
): Promise<{ found: Listed[]; offset: number }> {
  const found = await select<Listed>(FIRST_PAGE, [userId, take + large, 0]);
  const { length } = found.filter(({ pulled }) => pulled === 1);
  return length > large ? start(userId, take, Math.max(length, large * 4)) : { found, offset: 0 };
}

async function further(
  userId: number,
  before: number,
  take: number,
): Promise<{ found: Listed[]; offset: number }> {
  const large = await select<Listed>(LARGE_GROUPS, [userId]);
  const offset = Math.max(0, before - large.length);
  const others = await select<Listed>(LATER_PAGE, [userId, take + large.length, offset]);
  return { found: [...others, ...large], offset };
}

async function totalOf(userId: number): Promise<number> {
  const [row] = await select<{ total: number }>('SELECT total FROM conversation_totals WHERE user_id = ?', [
    userId,
  ]);
  return row?.total ?? 0;
}

function toItem(row: Listed, userId: number, now: Date) {
  const isGroup = row.type === 'group';
  const hasLast = row.has_last === 1;
  const isMuted = row.muted === 1 && (row.mute_until === null || row.mute_until > now);
  const shown = {
    type: row.last_type,
    content: row.last_content,
    extra: row.last_extra === null ? null : (JSON.parse(row.last_extra) as Record<string, unknown>),
    isRecalled: row.is_last_recalled === 1,
    sender_name: row.last_sender_name,
  };
  return {
    id: row.id,
    type: row.type,
    name: isGroup ? row.name : (row.peer_name ?? ''),
    avatar: isGroup ? row.avatar : row.peer_avatar,
    is_group: isGroup,
    member_count: isGroup ? row.member_count : null,
    last_message: hasLast ? displayOf(shown, row.last_sender_id === userId) : null,
    last_sender_name: isGroup && hasLast ? row.last_sender_name : null,
    time: relative(row.last_at, now),
    last_message_at: dateTime(row.last_at),
    unread_count: row.unread,
    message_type: hasLast ? row.last_type : null,
    last_sent_at: hasLast ? row.last_at.toISOString() : null,
    last_read_message_id: row.read_id,
    muted: isMuted,
    mute_until: isMuted ? (row.mute_until?.toISOString() ?? null) : null,
    pinned: row.pinned === 1,
    hidden: false,
    role: row.role,
    peer_id: row.peer_id,
    last_message_id: hasLast ? row.last_id : null,
    last_sender_id: hasLast ? row.last_sender_id : null,
    last_is_recalled: hasLast && shown.isRecalled,
    // The data set contains neither deleted messages nor notices.
    last_is_deleted: false,
    last_notice: null,
    // The data set contains no mentions.
    mention_id: null,
  };
}
