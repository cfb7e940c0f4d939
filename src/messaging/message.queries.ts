import type { EntityManager } from 'typeorm';
import type { SeqRange } from './history-range';
import { type Extra, type MessageType } from './message-content';
import { type RawMoment, toDate } from '../database/raw-values';
import { extraOf } from './rows';

/** A stored message. */
export interface Message {
  conversation_id: number;
  seq: number;
  id: number;
  sender_id: number;
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

const COLUMNS =
  'conversation_id, seq, id, sender_id, type, content, extra, created_at, recalled_at, content_hash';

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
    `SELECT ${COLUMNS} FROM messages WHERE conversation_id = ? AND seq BETWEEN ? AND ? ORDER BY seq DESC`,
    [conversationId, from, to],
  );
  return rows.map(toMessage);
}

/** What this sender once sent under this id. */
export async function messageSentAs(
  em: EntityManager,
  conversationId: number,
  senderId: number,
  clientMsgId: string,
): Promise<Message | undefined> {
  const [row] = await em.query<RawMessage[]>(
    `SELECT ${COLUMNS} FROM messages WHERE conversation_id = ? AND sender_id = ? AND client_msg_id = ?`,
    [conversationId, senderId, clientMsgId],
  );
  return row && toMessage(row);
}

/** The number of a message in its conversation; undefined when it is of another one, or of none. */
export async function seqOfMessage(
  em: EntityManager,
  conversationId: number,
  id: number,
): Promise<number | undefined> {
  const [row] = await em.query<{ seq: number }[]>(
    'SELECT seq FROM message_ids WHERE id = ? AND conversation_id = ?',
    [id, conversationId],
  );
  return row?.seq;
}

/** The id of message number `seq`; by the messages' own key, since `message_ids` is in the order of the ids. */
export async function idOfMessage(
  em: EntityManager,
  conversationId: number,
  seq: number,
): Promise<number | undefined> {
  const [row] = await em.query<{ id: number }[]>(
    'SELECT id FROM messages WHERE conversation_id = ? AND seq = ?',
    [conversationId, seq],
  );
  return row?.id;
}
