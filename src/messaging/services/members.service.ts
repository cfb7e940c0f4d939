import { Injectable } from '@nestjs/common';
import type { Asker } from '../../common/auth/principal';
import type { ConversationId, UserId } from '../../common/ids';
import { BusinessError } from '../../common/errors/business-error';
import { BlocksService } from '../../people/blocks/blocks.service';
import { ConversationViews } from '../views/conversation.views';
import type { ConversationResponse } from '../dto/conversation.dto';
import { assertOwner } from '../store/membership.store';
import { memberRows } from '../store/membership-changes.store';
import { LockedConversations } from './locked-conversations';
import { Memberships } from './memberships';

/** Adds members to groups and removes them (API 7.4). */
@Injectable()
export class MembersService {
  constructor(
    private readonly conversations: LockedConversations,
    private readonly blocks: BlocksService,
    private readonly views: ConversationViews,
    private readonly memberships: Memberships,
  ) {}

  /**
   * Adds users to a group, on behalf of its owner. Users who are members already are skipped.
   * @throws {BusinessError} CONVERSATION_FORBIDDEN, NOT_ALLOWED, VALIDATION (unknown users, more than 5,000 members)
   */
  async add(asker: Asker, conversationId: ConversationId, userIds: number[]): Promise<ConversationResponse> {
    const userId = asker.id;
    // Checked before the users are looked up, so that only the owner can find out which users exist. Checked again
    // under the lock.
    assertOwner(await this.conversations.membership(userId, conversationId));
    await this.blocks.assertReachable(asker, userIds);
    return this.conversations.withConversation(
      userId,
      conversationId,
      async (em, membership) => {
        assertOwner(membership);
        const existing = await memberRows(em, conversationId, userIds as UserId[]);
        const existingIds = new Set<number>(existing.map(({ user_id }) => user_id));
        const newMemberIds = userIds.filter((id) => !existingIds.has(id));
        if (newMemberIds.length > 0) await this.memberships.add(em, conversationId, userId, newMemberIds);
        return this.views.one(userId, conversationId, em);
      },
      { retryOnDuplicateKey: true },
    );
  }

  /**
   * Removes a member, on behalf of the owner or of the member. If the owner leaves, the member who joined first becomes
   * the owner.
   * @throws {BusinessError} CONVERSATION_FORBIDDEN, USER_NOT_FOUND (not a member), NOT_ALLOWED
   */
  async remove(userId: UserId, conversationId: ConversationId, removedId: UserId): Promise<void> {
    await this.conversations.membership(userId, conversationId);
    await this.conversations.withConversation(userId, conversationId, async (em, actor) => {
      const [removed] = await memberRows(em, conversationId, [removedId]);
      if (removed === undefined) throw new BusinessError('USER_NOT_FOUND');
      if (actor.type === 'single') throw new BusinessError('NOT_ALLOWED');
      if (removedId !== userId) assertOwner(actor);
      await this.memberships.remove(em, userId, removed);
    });
  }
}
