import { Injectable } from '@nestjs/common';
import { recordAudit } from '../../audit/recording/record-audit';
import { BusinessError } from '../../common/errors/business-error';
import type { ConversationId } from '../../common/ids';
import { Transactions } from '../../database/transactions';
import type { InspectConversationRequest, InspectionResponse } from '../dto/admin-conversation.dto';
import { findConversation } from '../store/admin-conversations.store';
import { messagesIn, seqOfMessage } from '../store/message.store';
import { MessageViews } from '../views/message.views';

/** Shows messages to administrators, each time for an audited reason (API 15.5). */
@Injectable()
export class ConversationInspectionsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly messages: MessageViews,
  ) {}

  /**
   * Returns messages of a conversation, newest first. Each request writes an audit row with the reason, in the
   * transaction that reads the messages.
   * @throws {BusinessError} CONVERSATION_NOT_FOUND, MESSAGE_NOT_FOUND (`before_id`)
   */
  async inspect(
    id: ConversationId,
    { reason, before_id, limit }: InspectConversationRequest,
  ): Promise<InspectionResponse> {
    return this.transactions.run(async (em) => {
      const conversation = await findConversation(em, id);
      if (conversation === undefined) throw new BusinessError('CONVERSATION_NOT_FOUND');
      const before = await (before_id === undefined
        ? conversation.max_seq + 1
        : seqOfMessage(em, id, before_id));
      if (before === undefined) throw new BusinessError('MESSAGE_NOT_FOUND');
      const first = Math.max(1, before - limit);
      const messages = await messagesIn(em, id, { from: first, to: before - 1 });
      recordAudit(em, { object_id: id, before: null, after: { reason, messages: messages.length } });
      return {
        items: messages.map((message) => this.messages.describeForAdministrator(message)),
        next_before_id: first > 1 ? (messages.at(-1)?.id ?? null) : null,
      };
    });
  }
}
