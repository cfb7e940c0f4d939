import type { FastifyInstance } from 'fastify';
import { select, type Value } from './database';
import { callerOf, itemsPage, notMeasured, ok, pageOf, pathId, Refusal } from './http';
import { type StoredMessage, toMessage } from './messages';

interface Membership {
  type: string;
  member_count: number;
  max_seq: number;
  join_seq: number;
  read_seq: number;
  peer: number | null;
  peer_join: number | null;
  peer_read: number | null;
}

interface Interval {
  log: number;
  from_seq: number;
  to_seq: number;
  read_at: Date;
}

interface Range {
  from: number;
  to: number;
}

/** How many have read each message of a page. */
type Readers = (seq: number, senderId: number) => { read: number; unread: number };

/** A page of a conversation's messages. */
export function history(server: FastifyInstance): void {
  server.get('/api/messages/conversations/:id/messages', async (request, reply) => {
    const { id: userId } = callerOf(request);
    const id = pathId(request, 'id');
    const page = pageOf(request, 50);
    const me = await membership(id, userId);
    if (me === undefined) throw new Refusal(403, 403, '无权访问此会话');
    if (me.read_seq < me.max_seq) throw notMeasured('a history with something unread');
    const to = me.max_seq - (page.page - 1) * page.per_page;
    const range = { from: Math.max(me.join_seq, to - page.per_page + 1), to };
    const total = Math.max(0, me.max_seq - me.join_seq + 1);
    if (range.from > range.to) return ok(reply, itemsPage(reply, [], total, page));

    const isSingle = me.type === 'single';
    const [messages, intervals, readers] = await Promise.all([
      messagesIn(id, range),
      intervalsIn(id, userId, me.peer, range),
      isSingle ? readersOfTwo(me) : readersOfMany(id, me, range),
    ]);
    const items = messages.map((message) => {
      // One's own messages were read by the peer, or by the first in the group.
      const log = message.sender_id === userId ? 1 : 0;
      const readAt = intervals.find(
        (interval) =>
          interval.log === log && interval.from_seq <= message.seq && message.seq <= interval.to_seq,
      )?.read_at;
      return toMessage(message, userId, { readAt, ...readers(message.seq, message.sender_id) });
    });
    return ok(reply, itemsPage(reply, items, total, page));
  });
}

async function membership(id: number, userId: number): Promise<Membership | undefined> {
  const [row] = await select<Membership>(
    `SELECT c.type, c.member_count, c.max_seq, m.join_seq, m.read_seq,
       p.user_id AS peer, p.join_seq AS peer_join, p.read_seq AS peer_read
     FROM conversation_members m JOIN conversations c ON c.id = m.conversation_id
     LEFT JOIN conversation_members p ON c.type = 'single' AND p.conversation_id = c.id AND p.user_id <> m.user_id
     WHERE m.conversation_id = ? AND m.user_id = ?`,
    [id, userId],
  );
  return row;
}

const messagesIn = (id: number, { from, to }: Range): Promise<StoredMessage[]> =>
  select(
    `SELECT m.conversation_id, m.seq, m.id, m.sender_id, m.type, m.content, m.extra, m.created_at, m.recalled_at,
       u.name AS sender_name, u.avatar AS sender_avatar
     FROM messages m LEFT JOIN users u ON u.id = m.sender_id
     WHERE m.conversation_id = ? AND m.seq BETWEEN ? AND ? ORDER BY m.seq DESC`,
    [id, from, to],
  );

/**
 * What was read when, within a range: log 0 is the user's own, log 1 the peer's or the group's. Those that end within
 * the range, and the one that ends next.
 */
function intervalsIn(
  id: number,
  userId: number,
  peer: number | null,
  { from, to }: Range,
): Promise<Interval[]> {
  const logs = [
    { table: 'read_intervals', where: 'conversation_id = ? AND user_id = ?', of: [id, userId] },
    peer === null
      ? { table: 'first_reads', where: 'conversation_id = ?', of: [id] }
      : { table: 'read_intervals', where: 'conversation_id = ? AND user_id = ?', of: [id, peer] },
  ];
  const values: Value[] = [];
  const parts = logs.flatMap(({ table, where, of }, log) => {
    values.push(...of, from, to, ...of, to);
    const columns = `SELECT ${log} AS log, from_seq, to_seq, read_at FROM ${table} WHERE ${where}`;
    return [
      `(${columns} AND to_seq >= ? AND to_seq < ?)`,
      `(${columns} AND to_seq >= ? ORDER BY to_seq LIMIT 1)`,
    ];
  });
  return select(parts.join(' UNION ALL '), values);
}

function readersOfTwo({ read_seq, peer_read, join_seq, peer_join, peer }: Membership): Readers {
  return (seq, senderId) => {
    const [position, joined] = senderId === peer ? [read_seq, join_seq] : [peer_read ?? 0, peer_join ?? 0];
    const isThere = joined <= seq;
    const hasRead = position >= seq;
    return { read: isThere && hasRead ? 1 : 0, unread: isThere && !hasRead ? 1 : 0 };
  };
}

/** From how the members' positions are spread over the range. */
async function readersOfMany(
  id: number,
  { member_count }: Membership,
  { from, to }: Range,
): Promise<Readers> {
  const of = 'FROM conversation_members WHERE conversation_id = ?';
  const rows = await select<{ kind: string; at: number; n: number }>(
    `SELECT 'read below' AS kind, 0 AS at, COUNT(*) AS n ${of} AND read_seq < ?
     UNION ALL SELECT 'read', read_seq, COUNT(*) ${of} AND read_seq >= ? AND read_seq < ? GROUP BY read_seq
     UNION ALL SELECT 'joined above', 0, COUNT(*) ${of} AND join_seq > ?
     UNION ALL SELECT 'joined', join_seq, COUNT(*) ${of} AND join_seq > ? AND join_seq <= ? GROUP BY join_seq
     UNION ALL SELECT 'sender', user_id, join_seq ${of} AND user_id IN
       (SELECT sender_id FROM messages WHERE conversation_id = ? AND seq BETWEEN ? AND ?)`,
    [id, from, id, from, to, id, to, id, from, to, id, id, from, to],
  );
  const only = (kind: string) => rows.filter((row) => row.kind === kind);
  const below = only('read below')[0]?.n ?? 0;
  const above = only('joined above')[0]?.n ?? 0;
  const [read, joined] = [only('read'), only('joined')];
  const senders = new Map(only('sender').map(({ at, n }) => [at, n]));
  return (seq, senderId) => {
    const unread = read.reduce((sum, { at, n }) => (at < seq ? sum + n : sum), below);
    const later = joined.reduce((sum, { at, n }) => (at > seq ? sum + n : sum), above);
    const isThere = (senders.get(senderId) ?? Number.POSITIVE_INFINITY) <= seq;
    return { read: member_count - later - (isThere ? 1 : 0) - unread, unread };
  };
}
