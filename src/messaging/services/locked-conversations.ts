import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { ConversationId, MessageId, UserId } from '../../common/ids';
import { BusinessError } from '../../common/errors/business-error';
import { type RunOptions, Transactions } from '../../database/transactions';
import type { MessageIdEntity } from '../entities/message-id.entity';
import { findMembership, lockConversation, type Membership, requireMembership } from '../store/membership';
import { type Message, messagesIn } from '../store/message.queries';
import {
  type MemberMessage,
  requireInHistory,
  requirePlace,
  requireVisible,
} from '../store/marks/visible-message';

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
  actOnOwn<T>(
    userId: UserId,
    messageId: MessageId,
    work: (em: EntityManager, own: OwnMessage) => Promise<T>,
  ): Promise<T> {
    return this.#actOn(messageId, (em, place) => requireOwn(em, userId, place), work);
  }

  /**
   * One act of a member on a message that the member sees, in a transaction that holds its conversation.
   * @throws {BusinessError} MESSAGE_NOT_FOUND: not the user's to see, or deleted for oneself
   */
  actOnVisible<T>(
    userId: UserId,
    messageId: MessageId,
    work: (em: EntityManager, seen: MemberMessage) => Promise<T>,
  ): Promise<T> {
    return this.#actOn(messageId, (em, place) => requireVisible(em, userId, place), work);
  }

  /**
   * One act of a member on a message in the own history, which may be deleted there, in a transaction that holds its
   * conversation.
   * @throws {BusinessError} MESSAGE_NOT_FOUND: not the user's to see
   */
  actOnHistory<T>(
    userId: UserId,
    messageId: MessageId,
    work: (em: EntityManager, seen: MemberMessage) => Promise<T>,
  ): Promise<T> {
    return this.#actOn(messageId, (em, place) => requireInHistory(em, userId, place), work);
  }

  async #actOn<Found, T>(
    messageId: MessageId,
    find: (em: EntityManager, place: MessageIdEntity) => Promise<Found>,
    work: (em: EntityManager, found: Found) => Promise<T>,
  ): Promise<T> {
    const { manager } = this.dataSource;
    const place = await requirePlace(manager, messageId);
    await find(manager, place);
    return this.transactions.run(async (em) => {
      await lockConversation(em, place.conversation_id);
      return work(em, await find(em, place));
    });
  }
}

/** One's own is there also when one has cleared it, or deleted it for oneself. */
async function requireOwn(em: EntityManager, userId: UserId, place: MessageIdEntity): Promise<OwnMessage> {
  const { conversation_id, seq } = place;
  const membership = await findMembership(em, userId, conversation_id);
  const [message] = await messagesIn(em, conversation_id, { from: seq, to: seq });
  if (membership === undefined || message === undefined || seq < membership.join_seq)
    throw new BusinessError('MESSAGE_NOT_FOUND');
  // A notice is its sender's, but says what the service says.
  if (message.sender_id === userId && message.notice === null) return { membership, message };
  await requireVisible(em, userId, place);
  throw new BusinessError('NOT_ALLOWED');
}
