import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Asker } from '../../common/auth/principal';
import { Clock } from '../../common/clock';
import type { ConversationId, UserId } from '../../common/ids';
import { BusinessError, invalidField } from '../../common/errors/business-error';
import { BlocksService } from '../../people/blocks/blocks.service';
import type { ConversationResponse } from '../dto/conversation.dto';
import { ConversationEvents } from '../events/conversation-events';
import { MAX_MEMBERS } from '../rules/limits.rules';
import { assertOwner } from '../store/membership.store';
import {
  addMembers,
  conversationById,
  memberRows,
  membersByJoining,
  removeMembers,
  setRole,
} from '../store/membership-changes.store';
import { LockedConversations } from './locked-conversations';
import { MemberNotices } from './member-notices';

/** Adds members to groups and removes them (API 7.4). */
@Injectable()
export class MembersService {
  constructor(
    private readonly conversations: LockedConversations,
    private readonly blocks: BlocksService,
    private readonly clock: Clock,
    private readonly events: ConversationEvents,
    private readonly notices: MemberNotices,
  ) {}

  /**
   * Adds users to a group, on behalf of its owner. Users who are members already are skipped. The clock is read under the
   * conversation lock, so that the joining times have the order in which members join.
   * @throws {BusinessError} CONVERSATION_FORBIDDEN, NOT_ALLOWED, VALIDATION (unknown users, more than 5,000 members)
   */
  async add(asker: Asker, conversationId: ConversationId, userIds: number[]): Promise<ConversationResponse> {
    const userId = asker.id;
    // Checked before the users are looked up, so that only the owner can find out which users exist. Checked again
    // under the lock.
    assertOwner(await this.conversations.membership(userId, conversationId));
    await this.blocks.assertReachable(asker, userIds);
    return this.conversations.changeConversation(
      userId,
      conversationId,
      async (em, membership) => {
        assertOwner(membership);
        const existing = await memberRows(em, conversationId, userIds as UserId[]);
        const existingIds = new Set<number>(existing.map(({ user_id }) => user_id));
        const newMemberIds = userIds.filter((id) => !existingIds.has(id));
        if (newMemberIds.length === 0) return;
        const conversation = await conversationById(em, conversationId);
        if (conversation.member_count + newMemberIds.length > MAX_MEMBERS)
          throw invalidField('user_ids', (catalogue) => catalogue.tooMany(MAX_MEMBERS));
        const eventsAfterSeq = await this.events.eventsAfterSeqOfJoining(em, conversation);
        await addMembers(em, conversation, newMemberIds, { at: this.clock.now(), eventsAfterSeq });
        await this.events.joined(em, conversation, newMemberIds);
        await this.notices.added(em, conversationId, userId, newMemberIds);
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
      await removeMembers(em, removed, [removedId]);
      if (removed.role === 'owner') await appointOwner(em, conversationId);
      this.events.left(em, [removedId], conversationId);
      await this.events.updated(em, conversationId);
      await this.notices.gone(em, conversationId, userId, removedId);
    });
  }
}

async function appointOwner(em: EntityManager, conversationId: ConversationId): Promise<void> {
  const [oldest] = await membersByJoining(em, conversationId, { offset: 0, limit: 1 });
  if (oldest !== undefined) await setRole(em, conversationId, oldest.user_id, 'owner');
}
