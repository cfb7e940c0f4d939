import type { FastifyInstance } from 'fastify';
import { select } from './database';
import { callerOf, itemsPage, notMeasured, ok, pageOf, pathId, HttpError } from './http';
import { type StoredMessage, toMessage } from './messages';

/**
 * A message of the page (null without one), with the fields of the conversation and its reader that the response needs.
 */
interface Row extends Omit<StoredMessage, 'seq'> {
  conversation_type: string;
  member_count: number;
  max_seq: number;
  join_seq: number;
  read_seq: number;
  peer_id: number | null;
  peer_join: number | null;
  peer_read: number | null;
  seq: number | null;
  /** In groups: the sequence number from which the sender is a member; null after the sender has left. */
  sender_join: number | null;
}

interface Interval {
  reader_id: number;
  from_seq: number;
  to_seq: number;
  read_at: Date;
}

interface Range {
  from: number;
  to: number;
}

type Message = StoredMessage & Row;

/** Returns how many members have and have not read a message of the page. */
type Readers = (message: Message) => { read: number; unread: number };

/**
 * The page depends on the conversation's highest sequence number, so one statement reads both; see `inbox-pages.ts`.
 */
const PAGE = `SELECT c.type AS conversation_type, c.member_count, c.max_seq, me.join_seq, me.read_seq, me.peer_id,
    p.join_seq AS peer_join, p.read_seq AS peer_read, s.join_seq AS sender_join,
    m.conversation_id, m.seq, m.id, m.sender_id, m.type, m.content, m.extra, m.created_at, m.recalled_at, m.client_msg_id,
    u.name AS sender_name, u.avatar AS sender_avatar
  FROM members me
  JOIN conversations c ON c.id = me.conversation_id
  LEFT JOIN members p ON p.conversation_id = me.conversation_id AND p.user_id = me.peer_id
  LEFT JOIN messages m ON m.conversation_id = ?
    AND m.seq >= GREATEST(me.join_seq, c.max_seq - ?) AND m.seq <= c.max_seq - ?
  LEFT JOIN users u ON u.id = m.sender_id
  LEFT JOIN members s ON s.conversation_id = IF(c.type = 'group', c.id, NULL) AND s.user_id = m.sender_id
  WHERE me.conversation_id = ? AND me.user_id = ?`;

/** Route of a page of a conversation's messages. */
export function history(server: FastifyInstance): void {
  server.get('/api/messages/conversations/:id/messages', async (request, reply) => {
    const { id: userId } = callerOf(request);
    const id = pathId(request, 'id');
    const page = pageOf(request, 50);
    const skip = (page.page - 1) * page.per_page;
    const rows = await select<Row>(PAGE, [id, skip + page.per_page - 1, skip, id, userId]);
    const [me] = rows;
    if (me === undefined) throw new HttpError(403, 403, '无权访问此会话');
    if (me.read_seq < me.max_seq) throw notMeasured('a history with something unread');
    const total = Math.max(0, me.max_seq - me.join_seq + 1);
    const messages = rows.filter((row): row is Message => row.seq !== null).toSorted((a, b) => b.seq - a.seq);
    const [newest, oldest] = [messages[0], messages.at(-1)];
    if (newest === undefined || oldest === undefined) return ok(reply, itemsPage(reply, [], total, page));

    const range = { from: oldest.seq, to: newest.seq };
    // The first reader of the user's own messages is the peer, or in a group the first member who read them.
    const other = me.peer_id ?? FIRST_READER;
    const [intervals, readers] = await Promise.all([
      range.to === me.max_seq
        ? intervalsSince(id, userId, other, range.from)
        : intervalsIn(id, [userId, other], range),
      me.conversation_type === 'single' ? readersOfTwo(me) : readersOfMany(id, me, range),
    ]);
    const items = messages.map((message) => {
      const reader = message.sender_id === userId ? other : userId;
      const readAt = intervals.find(
        ({ reader_id, from_seq, to_seq }) =>
          reader_id === reader && from_seq <= message.seq && message.seq <= to_seq,
      )?.read_at;
      return toMessage(message, userId, { readAt, ...readers(message) });
    });
    return ok(reply, itemsPage(reply, items, total, page));
  });
}

/** Reader id under which the first reader of each message in a group is stored. */
export const FIRST_READER = 0;

const INTERVALS = 'SELECT reader_id, from_seq, to_seq, read_at FROM readings WHERE conversation_id = ?';

/** Returns the read intervals of the two readers from a message on. */
const intervalsSince = (id: number, one: number, other: number, from: number): Promise<Interval[]> =>
  select(`${INTERVALS} AND reader_id IN (?, ?) AND to_seq >= ?`, [id, one, other, from]);

/** Returns the read intervals of each reader in a range: those that end in it, and the next one after it. */
function intervalsIn(id: number, readers: number[], { from, to }: Range): Promise<Interval[]> {
  const of = `${INTERVALS} AND reader_id = ? AND to_seq >= ?`;
  const parts = readers.map(() => `(${of} AND to_seq < ?) UNION ALL (${of} ORDER BY to_seq LIMIT 1)`);
  return select(
    parts.join(' UNION ALL '),
    readers.flatMap((reader) => [id, reader, from, to, id, reader, to]),
  );
}

function readersOfTwo({ read_seq, peer_read, join_seq, peer_join, peer_id }: Row): Readers {
  return ({ seq, sender_id }) => {
    const [position, joined] =
      sender_id === peer_id ? [read_seq, join_seq] : [peer_read ?? 0, peer_join ?? 0];
    const isThere = joined <= seq;
    const hasRead = position >= seq;
    return { read: isThere && hasRead ? 1 : 0, unread: isThere && !hasRead ? 1 : 0 };
  };
}

/** Derives the read counts from the distribution of the members' positions over the range. */
async function readersOfMany(id: number, { member_count }: Row, { from, to }: Range): Promise<Readers> {
  const of = 'FROM members WHERE conversation_id = ?';
  const rows = await select<{ kind: string; at: number; n: number }>(
    `SELECT 'read below' AS kind, 0 AS at, COUNT(*) AS n ${of} AND read_seq < ?
     UNION ALL SELECT 'read', read_seq, COUNT(*) ${of} AND read_seq >= ? AND read_seq < ? GROUP BY read_seq
     UNION ALL SELECT 'joined above', 0, COUNT(*) ${of} AND join_seq > ?
     UNION ALL SELECT 'joined', join_seq, COUNT(*) ${of} AND join_seq > ? AND join_seq <= ? GROUP BY join_seq`,
    [id, from, id, from, to, id, to, id, from, to],
  );
  const only = (kind: string) => rows.filter((row) => row.kind === kind);
  const below = only('read below')[0]?.n ?? 0;
  const above = only('joined above')[0]?.n ?? 0;
  const [read, joined] = [only('read'), only('joined')];
  return ({ seq, sender_join }) => {
    const unread = read.reduce((sum, { at, n }) => (at < seq ? sum + n : sum), below);
    const later = joined.reduce((sum, { at, n }) => (at > seq ? sum + n : sum), above);
    const isThere = sender_join !== null && sender_join <= seq;
    return { read: member_count - later - (isThere ? 1 : 0) - unread, unread };
  };
}
