import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import type { Asker } from '../../common/auth/principal';
import type { ConversationId, UserId } from '../../common/ids';
import { BusinessError } from '../../common/errors/business-error';
import { BlocksService } from '../../people/blocks/blocks.service';
import { ConversationViews } from '../views/conversation-views';
import type { ConversationResponse } from '../dto/conversation.dto';
import { ConversationMemberEntity } from '../entities/conversation-member.entity';
import { mustOwn } from '../store/membership';
import { LockedConversations } from './locked-conversations';
import { Memberships } from './memberships';

/** Coming into a group and leaving it (contract 6). */
@Injectable()
export class MembersService {
  constructor(
    private readonly conversations: LockedConversations,
    private readonly blocks: BlocksService,
    private readonly views: ConversationViews,
    private readonly memberships: Memberships,
  ) {}

  /**
   * The owner adds users; those who are members already are left as they are.
   * @throws {BusinessError} CONVERSATION_FORBIDDEN, NOT_ALLOWED, VALIDATION (unknown users, more than 5,000 members)
   */
  async add(asker: Asker, conversationId: ConversationId, userIds: number[]): Promise<ConversationResponse> {
    const userId = asker.id;
    // Asked before the users are looked up, so that nobody else learns who exists; decided again under the lock.
    mustOwn(await this.conversations.membership(userId, conversationId));
    await this.blocks.assertReachable(asker, userIds);
    return this.conversations.act(
      userId,
      conversationId,
      async (em, membership) => {
        mustOwn(membership);
        const among = { conversation_id: conversationId, user_id: In(userIds as UserId[]) };
        const present = await em.findBy(ConversationMemberEntity, among);
        const presentIds = new Set<number>(present.map(({ user_id }) => user_id));
        const newcomers = userIds.filter((id) => !presentIds.has(id));
        if (newcomers.length > 0) await this.memberships.admit(em, conversationId, userId, newcomers);
        return this.views.one(userId, conversationId, em);
      },
      { retryWhenTaken: true },
    );
  }

  /**
   * The owner removes a member, or a member leaves. When the owner leaves, who has been there longest inherits.
   * @throws {BusinessError} CONVERSATION_FORBIDDEN, USER_NOT_FOUND (not a member), NOT_ALLOWED
   */
  async remove(userId: UserId, conversationId: ConversationId, removedId: UserId): Promise<void> {
    await this.conversations.membership(userId, conversationId);
    await this.conversations.act(userId, conversationId, async (em, actor) => {
      const place = { conversation_id: conversationId, user_id: removedId };
      const removed = await em.findOneBy(ConversationMemberEntity, place);
      if (removed === null) throw new BusinessError('USER_NOT_FOUND');
      if (actor.type === 'single') throw new BusinessError('NOT_ALLOWED');
      if (removedId !== userId) mustOwn(actor);
      await this.memberships.dismiss(em, userId, removed);
    });
  }
}
