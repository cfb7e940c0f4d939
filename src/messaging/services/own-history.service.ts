import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock';
import type { ConversationId, MessageId, UserId } from '../../common/ids';
import { MarkEvents } from '../events/mark-events';
import { clearFor, newestVisibleId } from '../store/clearing.store';
import { deleteFor } from '../store/deletion.store';
import { LockedConversations } from './locked-conversations';
import { ReadPositionsService } from './read-positions.service';
import { requireInHistory } from '../store/visible-message.store';

/** Removes messages from one member's view of a conversation; other members see no change (API 8.10). */
@Injectable()
export class OwnHistoryService {
  constructor(
    private readonly conversations: LockedConversations,
    private readonly readPositions: ReadPositionsService,
    private readonly clock: Clock,
    private readonly events: MarkEvents,
  ) {}

  /**
   * Deletes a message for the user only. It stays in the history as a placeholder, and the unread count does not
   * change. Deleting it again has no effect.
   * @throws {BusinessError} MESSAGE_NOT_FOUND: not in the user's history
   */
  async delete(userId: UserId, messageId: MessageId): Promise<void> {
    await this.conversations.withMessage(
      requireInHistory,
      userId,
      messageId,
      async (em, { membership, message, is_deleted }) => {
        if (is_deleted) return;
        await deleteFor(em, membership, message.seq);
        await this.events.deleted(em, membership, messageId);
      },
    );
  }

  /**
   * Clears the history for the user only: marks all messages read, with read receipts, and hides them as if the user
   * had joined now. The conversation keeps its position in the list.
   * @throws {BusinessError} CONVERSATION_FORBIDDEN
   */
  async clear(userId: UserId, conversationId: ConversationId): Promise<void> {
    await this.conversations.membership(userId, conversationId);
    await this.conversations.withConversation(userId, conversationId, async (em, membership) => {
      if (!(await clearFor(em, membership, this.clock.now()))) return;
      const newest = await newestVisibleId(em, membership);
      await this.readPositions.advanceLocked(em, membership, membership.max_seq);
      await this.events.cleared(em, membership, newest);
    });
  }
}
