import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { ConversationId, UserId } from '../../common/ids';
import { BusinessError } from '../../common/errors/business-error';
import { CONFIG, type Config } from '../../config/config';
import { KeyedBatchQueue } from '../../common/concurrency/keyed-batch-queue';
import { isUniqueViolation } from '../../database/errors';
import { Transactions } from '../../database/transactions';
import type { MessageResponse } from '../dto/message.dto';
import type { SendMessageRequest } from '../dto/message-requests.dto';
import { requireMembership } from '../store/membership';
import { contentHash, MAX_EXTRA_BYTES } from '../rules/message-content';
import { messageSentAs } from '../store/message.queries';
import { MessageViews } from '../views/message-views';
import { type MessageSend, MessageWriter } from './message-writer';

/** Sending. */
@Injectable()
export class MessagesService {
  /** By conversation: what is sent while a transaction is under way shares the next one. */
  readonly #queue: KeyedBatchQueue<MessageSend, MessageResponse | undefined>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly views: MessageViews,
    private readonly writer: MessageWriter,
    @Inject(CONFIG) { requestTimeoutSeconds }: Config,
  ) {
    this.#queue = new KeyedBatchQueue<MessageSend, MessageResponse | undefined>(
      // Whoever has waited so long has been told that it was in vain.
      requestTimeoutSeconds * 1000,
      (conversationId, sends) => this.#write(conversationId, sends),
      // What one transaction carries, and what it is told with.
      ({ body: { content, extra } }) => content.length + (extra === undefined ? 0 : MAX_EXTRA_BYTES),
    );
  }

  /**
   * Sends a message, or, when this `client_msg_id` of the sender has been sent in this conversation, answers with
   * that message as it is now.
   * @throws {BusinessError} CONVERSATION_FORBIDDEN, REQUEST_ID_REUSED (the id was sent with another content)
   */
  async send(
    userId: UserId,
    conversationId: ConversationId,
    body: SendMessageRequest,
  ): Promise<MessageResponse> {
    const sent = await this.#queue.run(conversationId, { userId, body });
    return sent ?? this.#sentBefore(userId, conversationId, body);
  }

  async #write(
    conversationId: number,
    sends: MessageSend[],
  ): Promise<(MessageResponse | undefined | BusinessError)[]> {
    const attempt = (lookFirst: boolean) =>
      this.transactions.run((em) => this.writer.write(em, conversationId, sends, { lookFirst }));
    try {
      return await attempt(false);
    } catch (error) {
      // Repeats are rare, so only now is it worth a statement to find out which.
      if (isUniqueViolation(error)) return attempt(true);
      throw error;
    }
  }

  /** The message that took the client's id, as it is now. */
  async #sentBefore(
    userId: UserId,
    conversationId: ConversationId,
    body: SendMessageRequest,
  ): Promise<MessageResponse> {
    const em = this.dataSource.manager;
    const membership = await requireMembership(em, userId, conversationId);
    const message = await messageSentAs(em, userId, conversationId, body.client_msg_id ?? '');
    if (message?.content_hash !== contentHash(body)) throw new BusinessError('REQUEST_ID_REUSED');
    return this.views.describeOne(membership, message);
  }
}
