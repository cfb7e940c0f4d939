import { Inject, Injectable } from '@nestjs/common';
import { Clock, plusSeconds } from '../../common/clock';
import type { MessageId, UserId } from '../../common/ids';
import { BusinessError } from '../../common/errors/business-error';
import { CONFIG, type Config } from '../../config/config';
import { assertNotBlocked } from '../../people/blocks/blocks.store';
import type { MessageResponse } from '../dto/message.dto';
import { addToFilter } from '../search/message-filters.store';
import { MarkEvents } from '../events/mark-events';
import { editMessage } from '../store/edit.store';
import { MessageViews } from '../views/message.views';
import { LockedConversations } from './locked-conversations';
import { requireVisible } from '../store/visible-message.store';

/** Edits messages. */
@Injectable()
export class EditsService {
  constructor(
    private readonly conversations: LockedConversations,
    private readonly clock: Clock,
    private readonly views: MessageViews,
    private readonly events: MarkEvents,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Replaces the content of the sender's own text message within `MESSAGE_EDIT_SECONDS` (0: never). The last edit wins.
   * Unread counts, order and read state do not change. Sending the same content again changes nothing and has no time
   * limit (API 8.6).
   * @throws {BusinessError} MESSAGE_NOT_FOUND (or not visible to the user, or deleted by the user), NOT_ALLOWED
   *   (another user's message, not a text, forwarded, a notice, or across a block), EDIT_TOO_LATE (or recalled)
   */
  edit(userId: UserId, messageId: MessageId, content: string): Promise<MessageResponse> {
    const now = this.clock.now();
    return this.conversations.withMessage(
      requireVisible,
      userId,
      messageId,
      async (em, { membership, message }) => {
        // A notice has a sender, but the service writes its content.
        if (message.sender_id !== userId || message.notice !== null) throw new BusinessError('NOT_ALLOWED');
        await assertNotBlocked(em, userId, membership.peer_id);
        if (message.type !== 'text') throw new BusinessError('NOT_ALLOWED');
        // Checked before `is_forwarded`, which responses do not show for a recalled message.
        if (message.is_recalled) throw new BusinessError('EDIT_TOO_LATE');
        if (message.is_forwarded) throw new BusinessError('NOT_ALLOWED');
        if (message.content === content) return this.views.describeOne(membership, message, em);
        const { messageEditSeconds } = this.config;
        if (messageEditSeconds === 0 || now > plusSeconds(message.created_at, messageEditSeconds))
          throw new BusinessError('EDIT_TOO_LATE');
        // Read under the conversation lock, so that the times have the order of the edits.
        const change = { content, edited_at: this.clock.now() };
        await editMessage(em, message, change);
        await addToFilter(em, message, content);
        const response = await this.views.describeOne(membership, { ...message, ...change }, em);
        const { id: message_id, conversation_id, display_content, edited_at } = response;
        const edit = { conversation_id, message_id, content, display_content, edited_at: edited_at ?? '' };
        await this.events.edited(em, membership, message.seq, edit);
        return response;
      },
    );
  }
}
