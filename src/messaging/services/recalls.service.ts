import { Inject, Injectable } from '@nestjs/common';
import { removeUses } from '../../attachments/store/attachment-uses.store';
import { recordAudit } from '../../audit/recording/record-audit';
import type { MessageId, UserId } from '../../common/ids';
import { Clock, plusSeconds } from '../../common/clock';
import { BusinessError } from '../../common/errors/business-error';
import { CONFIG, type Config } from '../../config/config';
import type { MessageResponse } from '../dto/message.dto';
import { MessageEvents } from '../events/message-events';
import { NO_ATTACHMENTS, usedAttachmentIdsIn } from '../rules/message-attachments.rules';
import { removeReactions } from '../store/reaction.store';
import { recallMessage } from '../store/recall.store';
import { MessageViews } from '../views/message.views';
import { LockedConversations, requireOwnMessage } from './locked-conversations';

/** Columns that a recall empties, besides those that responses do not show. */
const EMPTIED = {
  content: '',
  extra: null,
  attachments: NO_ATTACHMENTS,
  is_recalled: true,
  has_reactions: false,
};

/** Recalls messages. */
@Injectable()
export class RecallsService {
  constructor(
    private readonly conversations: LockedConversations,
    private readonly clock: Clock,
    private readonly views: MessageViews,
    private readonly events: MessageEvents,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Recalls the sender's own message within `MESSAGE_RECALL_SECONDS`. Its row stays, without the content. Recalling it
   * again returns the same response and has no time limit.
   * @throws {BusinessError} MESSAGE_NOT_FOUND (or not visible to the user), NOT_ALLOWED (another user's message, or a
   *   notice), RECALL_TOO_LATE
   */
  recall(userId: UserId, messageId: MessageId): Promise<MessageResponse> {
    const now = this.clock.now();
    return this.conversations.withMessage(
      requireOwnMessage,
      userId,
      messageId,
      async (em, { membership, message }) => {
        if (message.is_recalled) return this.views.describeOne(membership, message, em);
        if (now > plusSeconds(message.created_at, this.config.messageRecallSeconds))
          throw new BusinessError('RECALL_TOO_LATE');
        await recallMessage(em, membership, message, now);
        await removeUses(em, usedAttachmentIdsIn(message.attachments));
        if (message.has_reactions) await removeReactions(em, message);
        const recalled = { ...message, ...EMPTIED };
        const response = await this.views.describeOne(membership, recalled, em);
        await this.events.recalled(em, membership, recalled, response);
        recordAudit(em, {
          object_id: messageId,
          before: { is_recalled: false },
          after: { is_recalled: true },
        });
        return response;
      },
    );
  }
}
