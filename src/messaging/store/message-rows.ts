import type { EntityManager } from 'typeorm';
import { placeholders, toMoment } from '../../database/dialect';
import type { ConversationId, MessageId } from '../../common/ids';
import { insertRows } from '../../database/rows';
import { MessageIdEntity } from '../entities/message-id.entity';
import { MessageEntity } from '../entities/message.entity';
import type { Membership } from './membership';
import type { Message } from './message.queries';

/* What is written when messages are sent. */

/** A message as it is first stored. */
export interface NewMessage extends Message {
  client_msg_id: string | null;
}

/** Moves the number of a conversation's newest message up. The conversation is held. */
export async function raiseTop(em: EntityManager, conversationId: number, top: number): Promise<void> {
  await em.query('UPDATE conversations SET max_seq = ? WHERE id = ?', [top, conversationId]);
}

/** Ids of new messages, which rise with the numbers. */
export async function allotIds(
  em: EntityManager,
  conversationId: ConversationId,
  seqs: number[],
): Promise<MessageId[]> {
  const rows = seqs.map((seq) => ({ conversation_id: conversationId, seq }));
  const known = await insertRows(em, MessageIdEntity, rows);
  if (seqs.length === 1) return [known as MessageId];
  // Of several, one is known: of the first on MySQL, of the last on SQLite. The others need not be next to it, since
  // the servers of a cluster allot every third id or so.
  const allotted = await em.query<{ id: MessageId }[]>(
    'SELECT id FROM message_ids WHERE id > ? AND conversation_id = ? AND seq >= ? ORDER BY id',
    [known - seqs.length, conversationId, seqs[0]],
  );
  return allotted.map(({ id }) => id);
}

/** @throws {QueryFailedError} a unique key: a `client_msg_id` was used before */
export async function insertMessages(em: EntityManager, messages: readonly NewMessage[]): Promise<void> {
  const rows = messages.map(({ conversation_id, seq, id, sender_id, type, content, extra, ...rest }) => ({
    conversation_id,
    seq,
    id,
    sender_id,
    type,
    content,
    extra: extra === null ? null : JSON.stringify(extra),
    created_at: rest.created_at,
    recalled_at: null,
    client_msg_id: rest.client_msg_id,
    content_hash: rest.content_hash,
  }));
  await insertRows(em, MessageEntity, rows);
}

/**
 * Moves the senders' read positions, and the conversation to the top of the lists it is hidden in or lower down: of
 * every member's, or, where they are too many, only out of the senders' hiding places.
 * @param positions by sender
 */
export async function moveToTop(
  em: EntityManager,
  { conversation_id, pulled: fanOutOnRead }: Membership,
  positions: Map<number, number>,
  sortAt: Date,
): Promise<void> {
  const senderIds = [...positions.keys()];
  const moved = `CASE user_id ${senderIds.map(() => 'WHEN ? THEN ?').join(' ')} ELSE read_seq END`;
  const among = placeholders(senderIds);
  const ahead = `CASE WHEN user_id IN (${among}) THEN 0 ELSE recalled_ahead END`;
  const sets = `hidden = 0, read_seq = ${moved}, recalled_ahead = ${ahead}`;
  const moves = [...[...positions].flat(), ...senderIds];
  if (fanOutOnRead)
    await em.query(
      `UPDATE conversation_members SET ${sets} WHERE conversation_id = ? AND user_id IN (${among})`,
      [...moves, conversation_id, ...senderIds],
    );
  else
    await em.query(`UPDATE conversation_members SET ${sets}, sort_at = ? WHERE conversation_id = ?`, [
      ...moves,
      toMoment(em, sortAt),
      conversation_id,
    ]);
}
