import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Clock } from '../common/clock';
import { BusinessError } from '../common/errors/business-error';
import { isUniqueViolation } from '../database/database-errors';
import { insertedId } from '../database/inserted-id';
import { Transactions } from '../database/transactions';
import type { MessageResponse } from './dto/message.dto';
import type { SendMessageRequest } from './dto/message-requests.dto';
import { ConversationMemberEntity } from './entities/conversation-member.entity';
import { ConversationEntity } from './entities/conversation.entity';
import { MessageIdEntity } from './entities/message-id.entity';
import { MessageEntity } from './entities/message.entity';
import { type Membership, requireMembership } from './membership';
import { ConversationEvents } from './conversation-events';
import { contentHash } from './message-content';
import { type Message, messageSentAs } from './message.queries';
import { MessageViews } from './message-views.service';
import { recordFirstRead, recordRead } from './read-log';

/** Sending. */
@Injectable()
export class MessagesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly views: MessageViews,
    private readonly events: ConversationEvents,
  ) {}

  /**
   * Sends a message, or, when this `client_msg_id` of the sender has been sent in this conversation, answers with
   * that message as it is now.
   * @throws {BusinessError} CONVERSATION_FORBIDDEN, REQUEST_ID_REUSED (the id was sent with another content)
   */
  async send(conversationId: number, userId: number, body: SendMessageRequest): Promise<MessageResponse> {
    try {
      return await this.transactions.run((em) => this.#write(em, conversationId, userId, body));
    } catch (error) {
      const before = isUniqueViolation(error)
        ? await this.#sentBefore(conversationId, userId, body)
        : undefined;
      if (before === undefined) throw error;
      return before;
    }
  }

  /**
   * The number is taken by an UPDATE whose lock lasts to the commit: numbers are in the order of commits, and a send
   * that fails gives its number back. The time is taken under the lock too, so it never runs against the numbers.
   */
  async #write(
    em: EntityManager,
    conversationId: number,
    userId: number,
    body: SendMessageRequest,
  ): Promise<MessageResponse> {
    await em.update(ConversationEntity, { id: conversationId }, { max_seq: () => 'max_seq + 1' });
    // Held, so that a reading on another terminal does not move the position that is moved on from here.
    const membership = await requireMembership(em, conversationId, userId, { hold: true });
    const created_at = this.clock.now();
    const message = await insertMessage(em, membership, body, created_at);
    await moveToTop(em, membership, created_at);
    // What the sender had not read yet is read now; the message itself is nobody's to read but the others'.
    const { conversation_id, user_id, type } = membership;
    const range = { from: membership.read_seq + 1, to: membership.max_seq - 1 };
    if (range.from <= range.to) {
      const read = { conversation_id, user_id, range, read_at: created_at };
      await recordRead(em, read);
      if (type === 'group') await recordFirstRead(em, membership, read);
      await this.events.read(em, { membership, to: range.to, read_at: created_at });
    }
    const answer = await this.views.describeNew(em, membership, message);
    await this.events.created(em, membership, answer);
    return answer;
  }

  /** The message that took the client's id, as it is now. */
  async #sentBefore(
    conversationId: number,
    userId: number,
    body: SendMessageRequest,
  ): Promise<MessageResponse | undefined> {
    if (body.client_msg_id === undefined) return undefined;
    const em = this.dataSource.manager;
    const membership = await requireMembership(em, conversationId, userId);
    const message = await messageSentAs(em, conversationId, userId, body.client_msg_id);
    if (message === undefined) return undefined;
    if (message.content_hash !== contentHash(body)) throw new BusinessError('REQUEST_ID_REUSED');
    return this.views.describeOne(membership, message);
  }
}

/** Writes message number `max_seq`, which the caller has just taken. */
async function insertMessage(
  em: EntityManager,
  { conversation_id, user_id, max_seq }: Membership,
  { type, content, extra, client_msg_id }: SendMessageRequest,
  created_at: Date,
): Promise<Message> {
  const place = { conversation_id, seq: max_seq };
  const row = {
    ...place,
    id: insertedId(await em.insert(MessageIdEntity, place)),
    sender_id: user_id,
    type,
    content,
    created_at,
    content_hash: client_msg_id === undefined ? null : contentHash({ type, content, extra }),
  };
  await em.insert(MessageEntity, {
    ...row,
    extra: extra === undefined ? null : JSON.stringify(extra),
    recalled_at: null,
    client_msg_id: client_msg_id ?? null,
  });
  return { ...row, extra: extra ?? null, is_recalled: false };
}

/**
 * Moves the sender's read position to the new message, and the conversation to the top of the lists it is hidden in
 * or lower down: of every member's, or, where they are too many, only out of the sender's hiding place.
 */
async function moveToTop(
  em: EntityManager,
  { conversation_id, user_id, max_seq, pulled }: Membership,
  sort_at: Date,
): Promise<void> {
  if (pulled) {
    const own = { conversation_id, user_id };
    await em.update(ConversationMemberEntity, own, { read_seq: max_seq, hidden: false });
    return;
  }
  await em
    .createQueryBuilder()
    .update(ConversationMemberEntity)
    .set({
      hidden: false,
      sort_at,
      read_seq: () => 'CASE WHEN user_id = :sender THEN :seq ELSE read_seq END',
    })
    .where({ conversation_id })
    .setParameters({ sender: user_id, seq: max_seq })
    .execute();
}
