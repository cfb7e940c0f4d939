import { Inject, Injectable } from '@nestjs/common';
import { auditContext } from '../../audit/recording/audit-context';
import type { ConversationId, UserId } from '../../common/ids';
import { BusinessError } from '../../common/errors/business-error';
import { currentTrace } from '../../common/tracing/current-trace';
import { CONFIG, type Config } from '../../config/config';
import { BatchQueue } from '../../common/concurrency/batch-queue';
import { isItemFailure, isUniqueViolation } from '../../database/errors';
import { Transactions } from '../../database/transactions';
import type { MessageResponse } from '../dto/message.dto';
import type { SendMessageRequest } from '../dto/message-requests.dto';
import { requireMembership } from '../store/membership.store';
import {
  contentHash,
  MAX_ATTACHMENTS,
  MAX_EXTRA_BYTES,
  MAX_TEXT,
  usedAttachmentIdsOf,
} from '../rules/message-content.rules';
import { messageSentAs } from '../store/message.store';
import { MessageViews } from '../views/message.views';
import { MessageWriter } from './message-writer';
import type { MessageSend } from './send-preparation';

/**
 * Transactions that an instance runs concurrently. More would make the batches smaller without a gain: each transaction
 * waits for the disk once, whatever its size.
 */
const SEND_CONCURRENCY = 4;

/** Upper bound of the characters of an attachment, most of them its preview and its URLs. */
const MAX_ATTACHMENT_LENGTH = 3_000;
const MAX_FORWARDED_LENGTH = MAX_TEXT + MAX_EXTRA_BYTES + (MAX_ATTACHMENTS + 1) * MAX_ATTACHMENT_LENGTH;

/** Sends messages. */
@Injectable()
export class MessagesService {
  /** Messages that are sent while all transactions are running share the next one. */
  readonly #queue: BatchQueue<MessageSend, MessageResponse | undefined>;

  constructor(
    private readonly transactions: Transactions,
    private readonly views: MessageViews,
    private readonly writer: MessageWriter,
    @Inject(CONFIG) { requestTimeoutSeconds }: Config,
  ) {
    this.#queue = new BatchQueue<MessageSend, MessageResponse | undefined>({
      concurrency: SEND_CONCURRENCY,
      // Requests that have waited longer have timed out already.
      maxWaitMs: requestTimeoutSeconds * 1000,
      // Transactions with a key in common would wait for each other's commit: on the conversation or the sender's log.
      keysOf: ({ conversationId, userId }) => [`conversation ${conversationId}`, `user ${userId}`],
      // Upper bound of the characters that a message adds to its transaction, and so to the events.
      sizeOf: ({ body }) =>
        (body.content?.length ?? 0) +
        usedAttachmentIdsOf(body).length * MAX_ATTACHMENT_LENGTH +
        (body.extra === undefined ? 0 : MAX_EXTRA_BYTES) +
        (body.forward_id === undefined ? 0 : MAX_FORWARDED_LENGTH),
      work: (sends) => this.#write(sends),
      isItemFailure,
    });
  }

  /**
   * Sends a message. If the sender has used this `client_msg_id` in this conversation before, returns the current state
   * of that message instead.
   * @throws {BusinessError} CONVERSATION_FORBIDDEN, REQUEST_ID_REUSED (the id was used with other content),
   *   MESSAGE_NOT_FOUND (the message to reply to or to forward), NOT_ALLOWED (across a block, or a mention of all
   *   members of a large group by a member who is not its owner)
   */
  async send(
    userId: UserId,
    conversationId: ConversationId,
    body: SendMessageRequest,
  ): Promise<MessageResponse> {
    const context = { audit: auditContext(), traceparent: currentTrace() };
    const sent = await this.#queue.run({ userId, conversationId, body, ...context });
    return sent ?? this.#findSent(userId, conversationId, body);
  }

  async #write(sends: MessageSend[]): Promise<(MessageResponse | undefined | BusinessError)[]> {
    const attempt = (lookUpUsedIds: boolean) =>
      this.transactions.run((em) => this.writer.write(em, sends, { lookUpUsedIds }), {
        failOnLockTimeout: sends.length > 1,
      });
    try {
      return await attempt(false);
    } catch (error) {
      // Repeated ids are rare, so they are looked up only after one has failed the batch.
      if (isUniqueViolation(error)) return attempt(true);
      throw error;
    }
  }

  /** Returns the current state of the message that was sent with this `client_msg_id`. */
  async #findSent(
    userId: UserId,
    conversationId: ConversationId,
    body: SendMessageRequest,
  ): Promise<MessageResponse> {
    const em = this.transactions.read();
    const membership = await requireMembership(em, userId, conversationId);
    const earlier = await messageSentAs(em, userId, conversationId, body.client_msg_id ?? '');
    if (earlier?.hash !== contentHash(body)) throw new BusinessError('REQUEST_ID_REUSED');
    return this.views.describeOne(membership, earlier.message);
  }
}
