import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ConversationId, MessageId, UserId } from '../../common/ids';
import { BusinessError } from '../../common/errors/business-error';
import { type RunOptions, Transactions } from '../../database/transactions';
import type { ConversationResponse } from '../dto/conversation.dto';
import type { MessageIdEntity } from '../entities/message-id.entity';
import {
  findMembership,
  lockConversation,
  lockMembership,
  type Membership,
  requireMembership,
} from '../store/membership.store';
import { messagesIn } from '../store/message.store';
import { type MemberMessage, requirePlace, requireVisible } from '../store/visible-message.store';
import { ConversationViews } from '../views/conversation.views';

/**
 * Serialises changes of a conversation with its row lock. Membership is checked before the lock is taken, so that only
 * members can make other transactions wait, and again under the lock, since it may have changed meanwhile.
 */
@Injectable()
export class LockedConversations {
  constructor(
    private readonly transactions: Transactions,
    private readonly views: ConversationViews,
  ) {}

  /** Returns the user's current membership, without the lock. @throws {BusinessError} CONVERSATION_FORBIDDEN */
  membership(userId: UserId, conversationId: ConversationId): Promise<Membership> {
    return requireMembership(this.transactions.read(), userId, conversationId);
  }

  /**
   * Runs `work` in a transaction that holds the conversation lock, with the user's membership as read under the lock.
   * The caller has checked `membership` before.
   * @throws {BusinessError} CONVERSATION_FORBIDDEN: not a member any more
   */
  withConversation<T>(
    userId: UserId,
    conversationId: ConversationId,
    work: (em: EntityManager, membership: Membership) => Promise<T>,
    options?: RunOptions,
  ): Promise<T> {
    return this.transactions.run(async (em) => {
      const membership = await lockMembership(em, userId, conversationId);
      if (membership === undefined) throw new BusinessError('CONVERSATION_FORBIDDEN');
      return work(em, membership);
    }, options);
  }

  /** Runs `work` under the conversation lock like `withConversation`, and returns the conversation as the user sees it. */
  changeConversation(
    userId: UserId,
    conversationId: ConversationId,
    work: (em: EntityManager, membership: Membership) => Promise<void>,
    options?: RunOptions,
  ): Promise<ConversationResponse> {
    const workAndView = async (em: EntityManager, membership: Membership): Promise<ConversationResponse> => {
      await work(em, membership);
      return this.views.one(userId, conversationId, em);
    };
    return this.withConversation(userId, conversationId, workAndView, options);
  }

  /**
   * Runs `work` on a message, in a transaction that holds the conversation lock.
   * @param find checks that the user may, and runs before the lock is taken and again under it: `requireOwnMessage`,
   *   `requireVisible` or `requireInHistory`
   * @throws {BusinessError} MESSAGE_NOT_FOUND, the errors of `find`
   */
  async withMessage<Found, T>(
    find: (em: EntityManager, userId: UserId, key: MessageIdEntity) => Promise<Found>,
    userId: UserId,
    messageId: MessageId,
    work: (em: EntityManager, found: Found) => Promise<T>,
  ): Promise<T> {
    const manager = this.transactions.read();
    const key = await requirePlace(manager, messageId);
    await find(manager, userId, key);
    return this.transactions.run(async (em) => {
      await lockConversation(em, key.conversation_id);
      return work(em, await find(em, userId, key));
    });
  }
}

/**
 * Finds a message that the user has sent, even if the user has cleared or deleted it in their own view.
 * @throws {BusinessError} MESSAGE_NOT_FOUND (or not visible to the user), NOT_ALLOWED (another user's message, or a
 *   notice)
 */
export async function requireOwnMessage(
  em: EntityManager,
  userId: UserId,
  key: MessageIdEntity,
): Promise<Omit<MemberMessage, 'is_deleted'>> {
  const { conversation_id, seq } = key;
  const membership = await findMembership(em, userId, conversation_id);
  const [message] = await messagesIn(em, conversation_id, { from: seq, to: seq });
  if (membership === undefined || message === undefined || seq < membership.join_seq)
    throw new BusinessError('MESSAGE_NOT_FOUND');
  // A notice has a sender, but the service writes its content.
  if (message.sender_id === userId && message.notice === null) return { membership, message };
  await requireVisible(em, userId, key);
  throw new BusinessError('NOT_ALLOWED');
}
