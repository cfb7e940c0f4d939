import type { FastifyInstance } from 'fastify';
import { change, type Connection, select, transaction, type Value } from './database';
import { callerOf, notMeasured, ok, pathId, HttpError } from './http';
import { FIRST_READER } from './history';
import { toMessage } from './messages';

interface Body {
  type: string;
  content: string;
  client_msg_id?: string;
}

interface Sending {
  user: number;
  body: Body;
}

interface Sender {
  user_id: number;
  read_seq: number;
  name: string;
  avatar: string | null;
  type: string;
  member_count: number;
  pulled: number;
  first_read: number | null;
}

type Answer = ReturnType<typeof toMessage>;

/** A queued send with the callbacks that settle its promise. */
interface Waiting extends Sending {
  resolve: (response: Answer) => void;
  reject: (error: unknown) => void;
}

const MAX_AT_ONCE = 64;

/** Queued sends by conversation. A key exists while a transaction for the conversation is running. */
const queues = new Map<number, Waiting[]>();

/** Route that sends a text message. */
export function sends(server: FastifyInstance): void {
  server.post('/api/messages/conversations/:id/messages', async (request, reply) => {
    const { id: user } = callerOf(request);
    const conversation = pathId(request, 'id');
    const body = request.body as Body;
    if (body.type !== 'text') throw notMeasured('a message that is no text');
    if (typeof body.content !== 'string' || body.content.trim() === '')
      throw new HttpError(422, 422, 'content 字段不能为空');
    if (body.content.length > 5_000) throw new HttpError(422, 422, 'content 长度不能超过 5000 个字符');
    return ok(reply, await send(conversation, user, body));
  });
}

/** Queues the message. Sends that arrive while a transaction for the conversation is running share the next one. */
function send(conversation: number, user: number, body: Body): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const waiting = { user, body, resolve, reject };
    const queue = queues.get(conversation);
    if (queue !== undefined) {
      queue.push(waiting);
      return;
    }
    queues.set(conversation, [waiting]);
    void sendWaiting(conversation);
  });
}

async function sendWaiting(conversation: number): Promise<void> {
  const queue = queues.get(conversation) ?? [];
  while (queue.length > 0) await together(conversation, queue.splice(0, MAX_AT_ONCE));
  queues.delete(conversation);
}

/**
 * Inserts a batch in one transaction. If it fails, each send is retried alone, so that an error affects only the send
 * that caused it.
 */
async function together(conversation: number, batch: Waiting[]): Promise<void> {
  try {
    const responses = await transaction((on) => insertAll(on, conversation, batch, new Date()));
    for (const [index, response] of responses.entries()) batch[index]?.resolve(response);
  } catch (error) {
    if (batch.length === 1) batch[0]?.reject(error);
    else for (const waiting of batch) await together(conversation, [waiting]);
  }
}

async function insertAll(
  on: Connection,
  conversation: number,
  sendings: Sending[],
  now: Date,
): Promise<Answer[]> {
  const newest = await takeNumbers(on, conversation, sendings, now);
  const senders = await sendersOf(on, conversation, new Set(sendings.map(({ user }) => user)));
  const firstSeq = newest - sendings.length + 1;
  const numbered = sendings.map(({ user, body }, index) => ({
    sender: senderIn(senders, user),
    body,
    seq: firstSeq + index,
  }));
  const firstId = await insertMessages(on, conversation, numbered, now);
  const messages = numbered.map((message, index) => ({ ...message, id: firstId + index }));
  const [any] = senders.values();
  const positions = new Map(messages.map(({ sender, seq, id }) => [sender.user_id, { seq, id }]));
  await moveUp(on, conversation, positions, any?.pulled === 1, now);
  const read = readBefore(messages, any?.first_read ?? 0);
  if (read.length > 0)
    await change(
      `INSERT INTO readings (conversation_id, reader_id, to_seq, from_seq, read_at)
       VALUES ${read.map(() => '(?, ?, ?, ?, ?)').join(', ')}`,
      read.flatMap(({ reader, from, to }) => [conversation, reader, to, from, now]),
      on,
    );
  return messages.map(({ sender, body: { type, content, client_msg_id }, seq, id }) =>
    toMessage(
      {
        conversation_id: conversation,
        seq,
        id,
        sender_id: sender.user_id,
        type,
        content,
        extra: null,
        created_at: now,
        recalled_at: null,
        client_msg_id: client_msg_id ?? null,
        sender_name: sender.name,
        sender_avatar: sender.avatar,
      },
      sender.user_id,
      { readAt: undefined, read: 0, unread: sender.member_count - 1 },
    ),
  );
}

const senderIn = (senders: Map<number, Sender>, user: number): Sender => {
  const sender = senders.get(user);
  if (sender === undefined) throw new HttpError(403, 403, '无权访问此会话');
  return sender;
};

/**
 * Reserves the next sequence numbers, which locks the conversation. Returns the last one, which the database sends in
 * its OK packet.
 */
async function takeNumbers(
  on: Connection,
  conversation: number,
  sendings: Sending[],
  now: Date,
): Promise<number> {
  const last = sendings.at(-1);
  const { insertId } = await change(
    `UPDATE conversations SET max_seq = LAST_INSERT_ID(max_seq + ?), last_sender_id = ?, last_type = ?,
       last_content = ?, last_extra = NULL, last_at = ? WHERE id = ?`,
    [sendings.length, last?.user ?? 0, last?.body.type ?? '', last?.body.content ?? '', now, conversation],
    on,
  );
  return insertId;
}

async function sendersOf(
  on: Connection,
  conversation: number,
  users: Set<number>,
): Promise<Map<number, Sender>> {
  const rows = await select<Sender>(
    `SELECT m.user_id, m.read_seq, u.name, u.avatar, c.type, c.member_count, c.pulled,
       (SELECT MAX(to_seq) FROM readings WHERE conversation_id = ? AND reader_id = ${FIRST_READER}) AS first_read
     FROM members m JOIN conversations c ON c.id = m.conversation_id JOIN users u ON u.id = m.user_id
     WHERE m.conversation_id = ? AND m.user_id IN (${marks(users.size)})`,
    [conversation, conversation, ...users],
    on,
  );
  return new Map(rows.map((row) => [row.user_id, row]));
}

const marks = (count: number): string => Array.from({ length: count }, () => '?').join(', ');

/** Inserts the messages. Returns the first id; the ids are consecutive. */
async function insertMessages(
  on: Connection,
  conversation: number,
  messages: { sender: Sender; body: Body; seq: number }[],
  now: Date,
): Promise<number> {
  const { insertId } = await change(
    `INSERT INTO messages (conversation_id, seq, sender_id, type, content, created_at, client_msg_id)
     VALUES ${messages.map(() => `(${marks(7)})`).join(', ')}`,
    messages.flatMap(({ sender, body, seq }): Value[] => [
      conversation,
      seq,
      sender.user_id,
      body.type,
      body.content,
      now,
      body.client_msg_id ?? null,
    ]),
    on,
  );
  return insertId;
}

/**
 * Advances each sender's read position to the sender's own message and, except in large groups, moves the conversation
 * to the top of every member's list.
 */
async function moveUp(
  on: Connection,
  conversation: number,
  positions: Map<number, { seq: number; id: number }>,
  isLarge: boolean,
  now: Date,
): Promise<void> {
  const users = [...positions.keys()];
  const cases = positions.size === 0 ? '' : 'WHEN ? THEN ? '.repeat(positions.size);
  const moved = `read_seq = CASE user_id ${cases}ELSE read_seq END, read_id = CASE user_id ${cases}ELSE read_id END`;
  const values = [
    ...[...positions].flatMap(([user, { seq }]) => [user, seq]),
    ...[...positions].flatMap(([user, { id }]) => [user, id]),
  ];
  if (isLarge)
    await change(
      `UPDATE members SET ${moved} WHERE conversation_id = ? AND user_id IN (${marks(users.length)})`,
      [...values, conversation, ...users],
      on,
    );
  else
    await change(
      `UPDATE members SET ${moved}, sort_at = ? WHERE conversation_id = ?`,
      [...values, now, conversation],
      on,
    );
}

interface Reading {
  reader: number;
  from: number;
  to: number;
}

/**
 * Returns the messages that each sender reads by sending, and in a group those of which the sender is the first reader.
 */
function readBefore(messages: { sender: Sender; seq: number }[], first: number): Reading[] {
  const readings: Reading[] = [];
  const positions = new Map<number, number>();
  let firstRead = first;
  for (const { sender, seq } of messages) {
    const { user_id: reader, read_seq, type } = sender;
    const from = (positions.get(reader) ?? read_seq) + 1;
    const to = seq - 1;
    positions.set(reader, seq);
    if (from > to) continue;
    readings.push({ reader, from, to });
    if (type === 'single' || to <= firstRead) continue;
    const firstFrom = Math.max(from, firstRead + 1);
    if (firstFrom > firstRead + 1) throw notMeasured('gaps between first reads');
    readings.push({ reader: FIRST_READER, from: firstFrom, to });
    firstRead = to;
  }
  return readings;
}
