import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { auditContext } from '../../audit/trail/audit-context';
import type { ConversationId, UserId } from '../../common/ids';
import { BusinessError } from '../../common/errors/business-error';
import { CONFIG, type Config } from '../../config/config';
import { BatchQueue } from '../../common/concurrency/batch-queue';
import { isOnesFault, isUniqueViolation } from '../../database/errors';
import { Transactions } from '../../database/transactions';
import type { MessageResponse } from '../dto/message.dto';
import type { SendMessageRequest } from '../dto/message-requests.dto';
import { requireMembership } from '../store/membership';
import { contentHash, MAX_EXTRA_BYTES, MAX_TEXT } from '../rules/message-content';
import { messageSentAs } from '../store/message.queries';
import { MessageViews } from '../views/message-views';
import { MessageWriter } from './message-writer';
import type { MessageSend } from './sending/prepare-sends';

/** How many an instance has under way. More would share less: each waits for the disk once, whatever it carries. */
const TRANSACTIONS_AT_ONCE = 4;

/** Sending. */
@Injectable()
export class MessagesService {
  /** What is sent while transactions are under way shares the next one. */
  readonly #queue: BatchQueue<MessageSend, MessageResponse | undefined>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly views: MessageViews,
    private readonly writer: MessageWriter,
    @Inject(CONFIG) { requestTimeoutSeconds }: Config,
  ) {
    this.#queue = new BatchQueue<MessageSend, MessageResponse | undefined>({
      atOnce: TRANSACTIONS_AT_ONCE,
      // Whoever has waited so long has been told that it was in vain.
      patienceMs: requestTimeoutSeconds * 1000,
      // Two transactions would take turns for as long as a commit takes: in the conversation, and in the sender's log.
      keysOf: ({ conversationId, userId }) => [`conversation ${conversationId}`, `user ${userId}`],
      // What one transaction carries, and what it is told with.
      weightOf: ({ body: { content, extra, forward_id } }) =>
        (content?.length ?? 0) +
        (extra === undefined ? 0 : MAX_EXTRA_BYTES) +
        (forward_id === undefined ? 0 : MAX_TEXT + MAX_EXTRA_BYTES),
      work: (sends) => this.#write(sends),
      isOnesFault,
    });
  }

  /**
   * Sends a message, or, when this `client_msg_id` of the sender has been sent in this conversation, answers with
   * that message as it is now.
   * @throws {BusinessError} CONVERSATION_FORBIDDEN, REQUEST_ID_REUSED (the id was sent with something else),
   *   MESSAGE_NOT_FOUND (what it answers or forwards), NOT_ALLOWED (across a block, or mentioning
   *   everybody of a large group)
   */
  async send(
    userId: UserId,
    conversationId: ConversationId,
    body: SendMessageRequest,
  ): Promise<MessageResponse> {
    const sent = await this.#queue.run({ userId, conversationId, body, audit: auditContext() });
    return sent ?? this.#sentBefore(userId, conversationId, body);
  }

  async #write(sends: MessageSend[]): Promise<(MessageResponse | undefined | BusinessError)[]> {
    const attempt = (lookFirst: boolean) =>
      this.transactions.run((em) => this.writer.write(em, sends, { lookFirst }), {
        failWhenHeld: sends.length > 1,
      });
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
    const before = await messageSentAs(em, userId, conversationId, body.client_msg_id ?? '');
    if (before?.hash !== contentHash(body)) throw new BusinessError('REQUEST_ID_REUSED');
    return this.views.describeOne(membership, before.message);
  }
}
