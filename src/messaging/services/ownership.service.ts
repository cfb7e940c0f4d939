import { Injectable } from '@nestjs/common';
import type { ConversationId, UserId } from '../../common/ids';
import { BusinessError } from '../../common/errors/business-error';
import type { ConversationResponse } from '../dto/conversation.dto';
import { ConversationEvents } from '../events/conversation-events';
import { assertOwner } from '../store/membership.store';
import { memberRows, removeMembers, setRole } from '../store/membership-changes.store';
import { LockedConversations } from './locked-conversations';

/** Transfers and dissolves groups (API 7.4). */
@Injectable()
export class OwnershipService {
  constructor(
    private readonly conversations: LockedConversations,
    private readonly events: ConversationEvents,
  ) {}

  /**
   * Makes another member the owner. The previous owner becomes an ordinary member.
   * @throws {BusinessError} CONVERSATION_FORBIDDEN, NOT_ALLOWED (not the owner), USER_NOT_FOUND (not a member)
   */
  async transfer(
    userId: UserId,
    conversationId: ConversationId,
    newOwnerId: UserId,
  ): Promise<ConversationResponse> {
    assertOwner(await this.conversations.membership(userId, conversationId));
    return this.conversations.changeConversation(userId, conversationId, async (em, membership) => {
      assertOwner(membership);
      const [newOwner] = await memberRows(em, conversationId, [newOwnerId]);
      if (newOwner === undefined) throw new BusinessError('USER_NOT_FOUND');
      if (newOwnerId === userId) return;
      await setRole(em, conversationId, userId, 'member');
      await setRole(em, conversationId, newOwnerId, 'owner');
      await this.events.updated(em, conversationId);
    });
  }

  /**
   * Dissolves the group, on behalf of its owner: removes all members. `AbandonedConversationsService` deletes the
   * conversation and its messages later.
   * @throws {BusinessError} CONVERSATION_FORBIDDEN, NOT_ALLOWED (not the owner)
   */
  async dissolve(userId: UserId, conversationId: ConversationId): Promise<void> {
    assertOwner(await this.conversations.membership(userId, conversationId));
    await this.conversations.withConversation(userId, conversationId, async (em, membership) => {
      assertOwner(membership);
      this.events.left(em, await removeMembers(em, membership), conversationId);
    });
  }
}
