import type { EntityManager } from 'typeorm';
import type { ConversationId, MessageId, UserId } from '../../common/ids';
import type { SeqRange } from '../rules/history-range';
import { type Extra, type MessageType } from '../rules/message-content';
import { type RawMoment, toDate } from '../../database/dialect';
import { extraOf } from '../rules/message-content';

/** A stored message, with the sender's name and picture (null of one who is not known). */
export interface Message {
  conversation_id: ConversationId;
  seq: number;
  id: MessageId;
  sender_id: UserId;
  sender_name: string | null;
  sender_avatar: string | null;
  type: MessageType;
  content: string;
  extra: Extra | null;
  created_at: Date;
  is_recalled: boolean;
}

type RawMessage = Omit<Message, 'conversation_id' | 'extra' | 'created_at' | 'is_recalled'> & {
  extra: string | null;
  created_at: RawMoment;
  recalled_at: RawMoment | null;
};

/** The senders come along from the module identity's table: asking for them apart costs as much as the messages. */
const COLUMNS = `m.seq, m.id, m.sender_id, u.name AS sender_name, u.avatar AS sender_avatar,
    m.type, m.content, m.extra, m.created_at, m.recalled_at`;
const MESSAGES = 'messages m LEFT JOIN users u ON u.id = m.sender_id';

const toMessage = (conversation_id: ConversationId, row: RawMessage): Message => ({
  conversation_id,
  seq: row.seq,
  id: row.id,
  sender_id: row.sender_id,
  sender_name: row.sender_name,
  sender_avatar: row.sender_avatar,
  type: row.type,
  content: row.content,
  extra: extraOf(row.extra),
  created_at: toDate(row.created_at),
  is_recalled: row.recalled_at !== null,
});

/** The messages of a range, newest first. */
export async function messagesIn(
  em: EntityManager,
  conversationId: ConversationId,
  { from, to }: SeqRange,
): Promise<Message[]> {
  if (from > to) return [];
  const rows = await em.query<RawMessage[]>(
    `SELECT ${COLUMNS} FROM ${MESSAGES}
     WHERE m.conversation_id = ? AND m.seq BETWEEN ? AND ? ORDER BY m.seq DESC`,
    [conversationId, from, to],
  );
  return rows.map((row) => toMessage(conversationId, row));
}

/** What this sender once sent under this id, and the hash of it as it was sent. */
export async function messageSentAs(
  em: EntityManager,
  senderId: UserId,
  conversationId: ConversationId,
  clientMsgId: string,
): Promise<{ message: Message; hash: string | null } | undefined> {
  const [row] = await em.query<(RawMessage & { content_hash: string | null })[]>(
    `SELECT ${COLUMNS}, m.content_hash FROM ${MESSAGES}
     WHERE m.conversation_id = ? AND m.sender_id = ? AND m.client_msg_id = ?`,
    [conversationId, senderId, clientMsgId],
  );
  return row && { message: toMessage(conversationId, row), hash: row.content_hash };
}

/** The number of a message in its conversation; undefined when it is of another one, or of none. */
export async function seqOfMessage(
  em: EntityManager,
  conversationId: ConversationId,
  messageId: number,
): Promise<number | undefined> {
  const [row] = await em.query<{ seq: number }[]>(
    'SELECT seq FROM message_ids WHERE id = ? AND conversation_id = ?',
    [messageId, conversationId],
  );
  return row?.seq;
}
