import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { change, type Connection, select, transaction } from './database';
import { writeEvents } from './events';
import { callerOf, notMeasured, ok, pathId, Refusal } from './http';
import { dateTime } from './local-time';
import { toMessage } from './messages';

interface Sender {
  conversation: number;
  user: number;
  seq: number;
  read_seq: number;
  type: string;
  peer_id: number | null;
  member_count: number;
  pulled: number;
  first_read_seq: number;
  first_gap_seq: number;
  name: string;
  avatar: string | null;
  /** The id of the message before this one. */
  before_id: number | null;
}

interface Body {
  type: string;
  content: string;
  client_msg_id?: string;
}

/** Sending a text. */
export function sends(server: FastifyInstance): void {
  server.post('/api/messages/conversations/:id/messages', async (request, reply) => {
    const { id: user } = callerOf(request);
    const conversation = pathId(request, 'id');
    const body = request.body as Body;
    if (body.type !== 'text') throw notMeasured('a message that is no text');
    if (typeof body.content !== 'string' || body.content.trim() === '')
      throw new Refusal(422, 422, 'content 字段不能为空');
    if (body.content.length > 5_000) throw new Refusal(422, 422, 'content 长度不能超过 5000 个字符');
    return ok(reply, await transaction((on) => send(on, conversation, user, body)));
  });
}

async function send(on: Connection, conversation: number, user: number, body: Body) {
  const sender = await takeNumber(on, conversation, user);
  const now = new Date();
  const message = await insertMessage(on, sender, body, now);
  await moveToTop(on, sender, now);
  const passed = { from: sender.read_seq + 1, to: sender.seq - 1 };
  const isBehind = passed.from <= passed.to;
  if (isBehind) await recordRead(on, sender, passed, now);
  const answer = toMessage(message, user, { readAt: undefined, read: 0, unread: sender.member_count - 1 });
  await tell(on, sender, answer, isBehind, now);
  return answer;
}

/** Takes the next number, which locks the conversation, and reads all that the rest needs in one statement. */
async function takeNumber(on: Connection, conversation: number, user: number): Promise<Sender> {
  await change(on, 'UPDATE conversations SET max_seq = max_seq + 1 WHERE id = ?', [conversation]);
  const [sender] = await select<Sender>(
    `SELECT c.id AS conversation, m.user_id AS user, c.max_seq AS seq, m.read_seq, c.type, m.peer_id,
       c.member_count, c.pulled, c.first_read_seq, c.first_gap_seq, u.name, u.avatar, b.id AS before_id
     FROM conversation_members m
     JOIN conversations c ON c.id = m.conversation_id
     JOIN users u ON u.id = m.user_id
     LEFT JOIN messages b ON b.conversation_id = c.id AND b.seq = c.max_seq - 1
     WHERE m.conversation_id = ? AND m.user_id = ?`,
    [conversation, user],
    on,
  );
  if (sender === undefined) throw new Refusal(403, 403, '无权访问此会话');
  return sender;
}

async function insertMessage(on: Connection, sender: Sender, body: Body, now: Date) {
  const { conversation, user, seq } = sender;
  const { insertId: id } = await change(on, 'INSERT INTO message_ids (conversation_id, seq) VALUES (?, ?)', [
    conversation,
    seq,
  ]);
  const clientId = body.client_msg_id ?? null;
  await change(
    on,
    `INSERT INTO messages (conversation_id, seq, id, sender_id, type, content, extra, created_at, recalled_at,
       client_msg_id, content_hash) VALUES (?, ?, ?, ?, ?, ?, NULL, ?, NULL, ?, ?)`,
    [
      conversation,
      seq,
      id,
      user,
      body.type,
      body.content,
      now,
      clientId,
      clientId === null ? null : hashOf(body),
    ],
  );
  return {
    conversation_id: conversation,
    seq,
    id,
    sender_id: user,
    type: body.type,
    content: body.content,
    extra: null,
    created_at: now,
    recalled_at: null,
    sender_name: sender.name,
    sender_avatar: sender.avatar,
  };
}

const hashOf = ({ type, content }: Body): string =>
  createHash('sha256')
    .update(JSON.stringify([type, content, null]))
    .digest('base64url');

async function moveToTop(on: Connection, { conversation, user, seq, pulled }: Sender, now: Date) {
  if (pulled === 1) {
    await change(
      on,
      'UPDATE conversation_members SET read_seq = ?, recalled_ahead = 0, hidden = 0 WHERE conversation_id = ? AND user_id = ?',
      [seq, conversation, user],
    );
    return;
  }
  // One more to read for all but the sender, who has read everything; nobody hides it any more.
  await change(
    on,
    `INSERT INTO conversation_counts (user_id, type, total, hidden, unread)
     SELECT user_id, type, 0, -hidden, CASE WHEN muted = 1 THEN 0
       WHEN user_id = ? THEN read_seq + recalled_ahead - ? ELSE 1 END
     FROM conversation_members WHERE conversation_id = ? ORDER BY user_id
     ON DUPLICATE KEY UPDATE hidden = conversation_counts.hidden + VALUES(hidden),
       unread = conversation_counts.unread + VALUES(unread)`,
    [user, seq - 1, conversation],
  );
  await change(
    on,
    `UPDATE conversation_members SET hidden = 0, sort_at = ?,
       recalled_ahead = CASE WHEN user_id = ? THEN 0 ELSE recalled_ahead END,
       read_seq = CASE WHEN user_id = ? THEN ? ELSE read_seq END WHERE conversation_id = ?`,
    [now, user, user, seq, conversation],
  );
}

interface Range {
  from: number;
  to: number;
}

/** What the sender had not read is read now; in a group, perhaps by the first. */
async function recordRead(on: Connection, sender: Sender, { from, to }: Range, now: Date): Promise<void> {
  const { conversation, user, type, first_read_seq, first_gap_seq } = sender;
  await change(
    on,
    'INSERT INTO read_intervals (conversation_id, user_id, to_seq, from_seq, read_at) VALUES (?, ?, ?, ?, ?)',
    [conversation, user, to, from, now],
  );
  if (type === 'single') return;
  const firstFrom = Math.max(from, first_read_seq + 1);
  if (from <= first_gap_seq || firstFrom > first_read_seq + 1) throw notMeasured('gaps between first reads');
  if (firstFrom > to) return;
  await change(
    on,
    'INSERT INTO first_reads (conversation_id, to_seq, from_seq, read_at) VALUES (?, ?, ?, ?)',
    [conversation, to, firstFrom, now],
  );
  await change(on, 'UPDATE conversations SET first_read_seq = ? WHERE id = ?', [to, conversation]);
}

/**
 * The events of a message: everybody's number in one statement and everybody's event in another, made by the database
 * from the members' rows. Above the push limit the group itself is told, once.
 */
async function tell(
  on: Connection,
  sender: Sender,
  answer: ReturnType<typeof toMessage>,
  isBehind: boolean,
  now: Date,
): Promise<void> {
  const { conversation, user, pulled, peer_id } = sender;
  const read = (unread: number | null) => ({
    conversation_id: conversation,
    user_id: user,
    up_to_message_id: sender.before_id,
    read_at: dateTime(now),
    unread_count: unread,
  });
  if (pulled === 1) {
    const reading = { userId: user, type: 'conversation.read', payload: read(0) };
    const news = {
      userId: -conversation,
      type: 'message.created',
      payload: { message: answer, seq: sender.seq },
    };
    return writeEvents(on, [...(isBehind ? [reading] : []), news], now);
  }
  const readers = isBehind ? [user, ...(peer_id === null ? [] : [peer_id])] : [];
  const events = `1 + CASE WHEN user_id IN (${readers.length === 0 ? 'NULL' : readers.join(', ')}) THEN 1 ELSE 0 END`;
  await change(
    on,
    `INSERT INTO event_cursors (user_id, last_seq) SELECT user_id, ${events} FROM conversation_members
     WHERE conversation_id = ? ORDER BY user_id
     ON DUPLICATE KEY UPDATE last_seq = last_seq + VALUES(last_seq)`,
    [conversation],
  );
  if (readers.length > 0)
    await change(
      on,
      `INSERT INTO events (user_id, seq, type, payload, created_at)
       SELECT user_id, last_seq - 1, 'conversation.read', CASE WHEN user_id = ? THEN ? ELSE ? END, ?
       FROM event_cursors WHERE user_id IN (?, ?)`,
      [user, JSON.stringify(read(0)), JSON.stringify(read(null)), now, readers[0] ?? 0, readers.at(-1) ?? 0],
    );
  const { is_self: _, ...message } = answer;
  const shared = `${JSON.stringify({ conversation_id: conversation, message }).slice(0, -2)},`;
  const payloadId = await share(on, shared, sender.member_count, now);
  await change(
    on,
    `INSERT INTO events (user_id, seq, type, payload_id, payload, created_at)
     SELECT m.user_id, e.last_seq, 'message.created', ?,
       CONCAT(?, '"is_self":', CASE WHEN m.user_id = ? THEN 'true' ELSE 'false' END, '},"unread_count":',
         c.max_seq - m.read_seq - CASE WHEN c.last_recalled_seq > m.read_seq
           THEN (SELECT COUNT(*) FROM message_recalls r WHERE r.conversation_id = c.id AND r.seq > m.read_seq)
           ELSE 0 END, '}'), ?
     FROM conversation_members m
     JOIN conversations c ON c.id = m.conversation_id
     JOIN event_cursors e ON e.user_id = m.user_id
     WHERE m.conversation_id = ?`,
    [payloadId, payloadId === null ? shared : '', user, now, conversation],
  );
}

/** Writes once what the members' events share, where that saves enough; the id of its row. */
async function share(on: Connection, text: string, members: number, now: Date): Promise<number | null> {
  if ((members - 1) * text.length < 2_000) return null;
  const { insertId } = await change(
    on,
    'INSERT INTO event_payloads (payload, bytes, created_at) VALUES (?, ?, ?)',
    [text, Buffer.byteLength(text), now],
  );
  return insertId;
}
