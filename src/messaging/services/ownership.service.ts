import { Injectable } from '@nestjs/common';
import type { ConversationId, UserId } from '../../common/ids';
import { BusinessError } from '../../common/errors/business-error';
import type { ConversationResponse } from '../dto/conversation.dto';
import { ConversationMemberEntity } from '../entities/conversation-member.entity';
import { ConversationEvents } from '../events/conversation-events';
import { mustOwn } from '../store/membership';
import { leaveAll } from '../store/membership-changes';
import { ConversationViews } from '../views/conversation-views';
import { LockedConversations } from './locked-conversations';

/** A group changes hands, or comes to its end (contract 18.3). */
@Injectable()
export class OwnershipService {
  constructor(
    private readonly conversations: LockedConversations,
    private readonly views: ConversationViews,
    private readonly events: ConversationEvents,
  ) {}

  /**
   * The owner makes another member the owner, and is a member like any from then on.
   * @throws {BusinessError} CONVERSATION_FORBIDDEN, NOT_ALLOWED (not the owner), USER_NOT_FOUND (not a member)
   */
  async transfer(
    userId: UserId,
    conversationId: ConversationId,
    heirId: UserId,
  ): Promise<ConversationResponse> {
    mustOwn(await this.conversations.membership(userId, conversationId));
    return this.conversations.act(userId, conversationId, async (em, membership) => {
      mustOwn(membership);
      const place = { conversation_id: conversationId, user_id: heirId };
      if (!(await em.existsBy(ConversationMemberEntity, place))) throw new BusinessError('USER_NOT_FOUND');
      if (heirId !== userId) {
        await em.update(ConversationMemberEntity, { ...place, user_id: userId }, { role: 'member' });
        await em.update(ConversationMemberEntity, place, { role: 'owner' });
        await this.events.updated(em, conversationId);
      }
      return this.views.one(userId, conversationId, em);
    });
  }

  /**
   * The owner ends the group: everybody leaves, and what it was is removed in time.
   * @throws {BusinessError} CONVERSATION_FORBIDDEN, NOT_ALLOWED (not the owner)
   */
  async dissolve(userId: UserId, conversationId: ConversationId): Promise<void> {
    mustOwn(await this.conversations.membership(userId, conversationId));
    await this.conversations.act(userId, conversationId, async (em, membership) => {
      mustOwn(membership);
      this.events.left(em, await leaveAll(em, membership), conversationId);
    });
  }
}
