import type { FastifyInstance } from 'fastify';
import { select } from './database';
import { callerOf, itemsPage, notMeasured, ok, type Page, pageOf } from './http';
import { dateTime, relative } from './local-time';
import { displayOf } from './messages';

interface Listed {
  id: number;
  type: string;
  name: string;
  avatar: string | null;
  member_count: number;
  pinned: number;
  sort_at: Date;
  joined_at: Date;
  unread: number;
  peer_name: string | null;
  peer_avatar: string | null;
  last_sender: number | null;
  last_sender_name: string | null;
  last_type: string;
  last_content: string;
  last_extra: string | null;
  last_at: Date;
  last_recalled_at: Date | null;
  is_hidden: number;
  last_read: number | null;
  muted: number;
  mute_until: Date | null;
  role: string;
  peer_id: number | null;
}

/** All that the list shows of a conversation, with the names in it. `m` is the member's row. */
const LISTED = `SELECT c.id, c.type, c.name, c.avatar, c.member_count, m.pinned, m.joined_at,
    c.max_seq - m.read_seq - CASE WHEN c.last_recalled_seq > m.read_seq
      THEN (SELECT COUNT(*) FROM message_recalls r WHERE r.conversation_id = c.id AND r.seq > m.read_seq)
      ELSE 0 END AS unread,
    peer.name AS peer_name, peer.avatar AS peer_avatar,
    l.sender_id AS last_sender, sender.name AS last_sender_name, l.type AS last_type, l.content AS last_content,
    l.extra AS last_extra, l.created_at AS last_at, l.recalled_at AS last_recalled_at,
    COALESCE(l.created_at, m.joined_at) AS sort_at,
    m.hidden = 1 AND m.hidden_seq >= c.max_seq AS is_hidden,
    CASE WHEN m.read_seq < m.join_seq THEN NULL WHEN m.read_seq = c.max_seq THEN l.id
      ELSE (SELECT id FROM messages WHERE conversation_id = c.id AND seq = m.read_seq) END AS last_read,
    m.muted, m.mute_until, m.role, m.peer_id`;
const JOINS = `JOIN conversations c ON c.id = m.conversation_id
  LEFT JOIN messages l ON l.conversation_id = c.id AND l.seq = c.max_seq AND l.seq >= m.join_seq
  LEFT JOIN users sender ON sender.id = l.sender_id
  LEFT JOIN users peer ON peer.id = m.peer_id`;

/** The list of one's conversations. */
export function conversations(server: FastifyInstance): void {
  server.get('/api/messages/conversations', async (request, reply) => {
    const { id: userId } = callerOf(request);
    const { type, hidden } = request.query as { type?: string; hidden?: string };
    if ((type ?? hidden) !== undefined) throw notMeasured('a list of one type, or of hidden ones');
    const page = pageOf(request, 20);
    // Before all else: the events after the cursor must bring what is read up to date.
    const head = await totals(userId);
    const [pulled, pushed] = await Promise.all([
      pulledRows(userId),
      page.page === 1 ? pushedRows(userId, 0, page.per_page) : undefined,
    ]);
    const shown = pulled.filter(({ is_hidden }) => is_hidden === 0);
    const before = (page.page - 1) * page.per_page;
    const offset = Math.max(0, before - shown.length);
    const rest = pushed ?? (await pushedRows(userId, offset, page.per_page + shown.length));
    const rows = [...rest, ...shown]
      .toSorted((a, b) => b.pinned - a.pinned || b.sort_at.getTime() - a.sort_at.getTime() || b.id - a.id)
      .slice(before - offset, before - offset + page.per_page);
    const total = Number(head.total ?? 0) - head.hidden - (pulled.length - shown.length);
    void reply.header('X-Event-Cursor', head.cursor ?? 0);
    void reply.header('X-Pinned-Count', rows.filter(({ pinned }) => pinned === 1).length);
    const now = new Date();
    return ok(
      reply,
      itemsPage(
        reply,
        rows.map((row) => toItem(row, userId, now)),
        total,
        page satisfies Page,
      ),
    );
  });
}

async function totals(userId: number) {
  const [row] = await select<{ total: string | null; hidden: number; cursor: number | null }>(
    `SELECT (SELECT SUM(total) FROM conversation_counts WHERE user_id = ?) AS total,
       (SELECT COUNT(*) FROM conversation_members WHERE user_id = ? AND pulled = 0 AND hidden = 1) AS hidden,
       (SELECT last_seq FROM event_cursors WHERE user_id = ?) AS \`cursor\``,
    [userId, userId, userId],
  );
  return row ?? { total: null, hidden: 0, cursor: null };
}

const pulledRows = (userId: number): Promise<Listed[]> =>
  select(`${LISTED} FROM conversation_members m ${JOINS} WHERE m.user_id = ? AND m.pulled = 1`, [userId]);

/** The page's keys from the index alone, then all else of these. */
const pushedRows = (userId: number, offset: number, limit: number): Promise<Listed[]> =>
  select(
    `${LISTED} FROM (SELECT conversation_id, user_id FROM conversation_members
       WHERE user_id = ? AND pulled = 0 AND hidden = 0
       ORDER BY pinned DESC, sort_at DESC, conversation_id DESC LIMIT ? OFFSET ?) k
     JOIN conversation_members m ON m.conversation_id = k.conversation_id AND m.user_id = k.user_id ${JOINS}`,
    [userId, limit, offset],
  );

function toItem(row: Listed, userId: number, now: Date) {
  const isGroup = row.type === 'group';
  const hasLast = row.last_sender !== null;
  const lastAt = hasLast ? row.last_at : row.joined_at;
  const isMuted = row.muted === 1 && (row.mute_until === null || row.mute_until > now);
  const shown = {
    type: row.last_type,
    content: row.last_content,
    extra: row.last_extra === null ? null : (JSON.parse(row.last_extra) as Record<string, unknown>),
    isRecalled: row.last_recalled_at !== null,
    sender_name: row.last_sender_name,
  };
  return {
    id: row.id,
    type: row.type,
    name: isGroup ? row.name : (row.peer_name ?? ''),
    avatar: isGroup ? row.avatar : row.peer_avatar,
    is_group: isGroup,
    member_count: isGroup ? row.member_count : null,
    last_message: hasLast ? displayOf(shown, row.last_sender === userId) : null,
    last_sender_name: isGroup && hasLast ? row.last_sender_name : null,
    time: relative(lastAt, now),
    last_message_at: dateTime(lastAt),
    unread_count: row.unread,
    message_type: hasLast ? row.last_type : null,
    last_sent_at: hasLast ? lastAt.toISOString() : null,
    last_read_message_id: row.last_read,
    muted: isMuted,
    mute_until: isMuted ? (row.mute_until?.toISOString() ?? null) : null,
    pinned: row.pinned === 1,
    hidden: false,
    role: row.role,
    peer_id: row.peer_id,
  };
}
