import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/clock';
import type { ConversationId, MessageId, UserId } from '../../../common/ids';
import { MarkEvents } from '../../events/mark-events';
import { clearFor, newestVisibleId } from '../../store/marks/clearing';
import { deleteFor } from '../../store/marks/deletion-rows';
import { LockedConversations } from '../locked-conversations';
import { ReadPositionsService } from '../read-positions.service';

/** What members take out of their own view; all others notice nothing of it (contract 16.3). */
@Injectable()
export class OwnHistoryService {
  constructor(
    private readonly conversations: LockedConversations,
    private readonly readPositions: ReadPositionsService,
    private readonly clock: Clock,
    private readonly events: MarkEvents,
  ) {}

  /**
   * Deletes a message for the user alone. Its place stays, and so does what is unread. Again is the same answer.
   * @throws {BusinessError} MESSAGE_NOT_FOUND: not the user's to see
   */
  async delete(userId: UserId, messageId: MessageId): Promise<void> {
    await this.conversations.actOnHistory(
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
   * All up to now is read, as by reading it, and gone for the user alone, as if the user had joined now. The place in
   * the list stays.
   * @throws {BusinessError} CONVERSATION_FORBIDDEN
   */
  async clear(userId: UserId, conversationId: ConversationId): Promise<void> {
    await this.conversations.membership(userId, conversationId);
    await this.conversations.act(userId, conversationId, async (em, membership) => {
      if (!(await clearFor(em, membership, this.clock.now()))) return;
      const newest = await newestVisibleId(em, membership);
      await this.readPositions.advanceHeld(em, membership, membership.max_seq);
      await this.events.cleared(em, membership, newest);
    });
  }
}
