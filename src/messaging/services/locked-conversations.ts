import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { ConversationId, MessageId, UserId } from '../../common/ids';
import { BusinessError } from '../../common/errors/business-error';
import { type RunOptions, Transactions } from '../../database/transactions';
import { MessageIdEntity } from '../entities/message-id.entity';
import { findMembership, lockConversation, type Membership, requireMembership } from '../store/membership';
import { type Message, messagesIn } from '../store/message.queries';

/** A message of the user's own, and the user's place in its conversation. */
interface OwnMessage {
  membership: Membership;
  message: Message;
}

/**
 * Taking turns in changing a conversation. Only who has been found to be a member makes others wait for the lock; what
 * was found before is asked again under it.
 */
@Injectable()
export class LockedConversations {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
  ) {}

  /** The user's place as it is now, without the lock. @throws {BusinessError} CONVERSATION_FORBIDDEN */
  membership(userId: UserId, conversationId: ConversationId): Promise<Membership> {
    return requireMembership(this.dataSource.manager, userId, conversationId);
  }

  /**
   * One act of somebody whose `membership` has been asked for, in a transaction that holds the conversation. `work` is
   * given the user's place as it is under the lock.
   * @throws {BusinessError} CONVERSATION_FORBIDDEN: not a member any more
   */
  act<T>(
    userId: UserId,
    conversationId: ConversationId,
    work: (em: EntityManager, membership: Membership) => Promise<T>,
    options?: RunOptions,
  ): Promise<T> {
    return this.transactions.run(async (em) => {
      await lockConversation(em, conversationId);
      return work(em, await requireMembership(em, userId, conversationId));
    }, options);
  }

  /**
   * One act of a sender on the own message, in a transaction that holds its conversation.
   * @throws {BusinessError} MESSAGE_NOT_FOUND (or not the user's to see), NOT_ALLOWED (another's)
   */
  async actOnOwn<T>(
    userId: UserId,
    messageId: MessageId,
    work: (em: EntityManager, own: OwnMessage) => Promise<T>,
  ): Promise<T> {
    const { manager } = this.dataSource;
    const place = await manager.findOneBy(MessageIdEntity, { id: messageId });
    if (place === null) throw new BusinessError('MESSAGE_NOT_FOUND');
    await requireOwn(manager, userId, place);
    return this.transactions.run(async (em) => {
      await lockConversation(em, place.conversation_id);
      return work(em, await requireOwn(em, userId, place));
    });
  }
}

async function requireOwn(
  em: EntityManager,
  userId: UserId,
  { conversation_id, seq }: MessageIdEntity,
): Promise<OwnMessage> {
  const membership = await findMembership(em, userId, conversation_id);
  const [message] = await messagesIn(em, conversation_id, { from: seq, to: seq });
  if (membership === undefined || message === undefined || seq < membership.join_seq)
    throw new BusinessError('MESSAGE_NOT_FOUND');
  if (message.sender_id !== userId) throw new BusinessError('NOT_ALLOWED');
  return { membership, message };
}
