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
  content_hash: string | null;
}

type RawMessage = Omit<Message, 'extra' | 'created_at' | 'is_recalled'> & {
  extra: string | null;
  created_at: RawMoment;
  recalled_at: RawMoment | null;
};

/** The senders come along from the module identity's table: asking for them apart costs as much as the messages. */
const MESSAGES = `SELECT m.conversation_id, m.seq, m.id, m.sender_id, u.name AS sender_name, u.avatar AS sender_avatar,
    m.type, m.content, m.extra, m.created_at, m.recalled_at, m.content_hash
  FROM messages m LEFT JOIN users u ON u.id = m.sender_id`;

const toMessage = ({ extra, created_at, recalled_at, ...rest }: RawMessage): Message => ({
  ...rest,
  extra: extraOf(extra),
  created_at: toDate(created_at),
  is_recalled: recalled_at !== null,
});

/** The messages of a range, newest first. */
export async function messagesIn(
  em: EntityManager,
  conversationId: number,
  { from, to }: SeqRange,
): Promise<Message[]> {
  if (from > to) return [];
  const rows = await em.query<RawMessage[]>(
    `${MESSAGES} WHERE m.conversation_id = ? AND m.seq BETWEEN ? AND ? ORDER BY m.seq DESC`,
    [conversationId, from, to],
  );
  return rows.map(toMessage);
}

/** What this sender once sent under this id. */
export async function messageSentAs(
  em: EntityManager,
  senderId: UserId,
  conversationId: ConversationId,
  clientMsgId: string,
): Promise<Message | undefined> {
  const [row] = await em.query<RawMessage[]>(
    `${MESSAGES} WHERE m.conversation_id = ? AND m.sender_id = ? AND m.client_msg_id = ?`,
    [conversationId, senderId, clientMsgId],
  );
  return row && toMessage(row);
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
