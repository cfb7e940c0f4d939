import { Injectable } from '@nestjs/common';
import { type EntityManager, In } from 'typeorm';
import type { ConversationId, UserId } from '../../common/ids';
import { Clock } from '../../common/clock';
import { BusinessError, invalidField } from '../../common/errors/business-error';
import { UsersService } from '../../identity/users.service';
import { ConversationViews } from '../views/conversation-views';
import { ConversationEvents } from '../events/conversation-events';
import type { ConversationResponse } from '../dto/conversation.dto';
import { ConversationMemberEntity } from '../entities/conversation-member.entity';
import { ConversationEntity } from '../entities/conversation.entity';
import { join, leave } from '../store/membership-changes';
import { BY_JOINING } from '../views/member-views';
import { mustOwn } from '../store/membership';
import { assertUsersExist } from './assert-users-exist';
import { LockedConversations } from './locked-conversations';

const MAX_MEMBERS = 5000;

/** Coming into a group and leaving it (contract 6). */
@Injectable()
export class MembersService {
  constructor(
    private readonly conversations: LockedConversations,
    private readonly users: UsersService,
    private readonly clock: Clock,
    private readonly views: ConversationViews,
    private readonly events: ConversationEvents,
  ) {}

  /**
   * The owner adds users; those who are members already are left as they are.
   * @throws {BusinessError} CONVERSATION_FORBIDDEN, NOT_ALLOWED, VALIDATION (unknown users, more than 5,000 members)
   */
  async add(
    userId: UserId,
    conversationId: ConversationId,
    userIds: number[],
  ): Promise<ConversationResponse> {
    // Asked before the users are looked up, so that nobody else learns who exists; decided again under the lock.
    mustOwn(await this.conversations.membership(userId, conversationId));
    await assertUsersExist(this.users, userIds);
    return this.conversations.act(
      userId,
      conversationId,
      async (em, membership) => {
        mustOwn(membership);
        const among = { conversation_id: conversationId, user_id: In(userIds as UserId[]) };
        const present = await em.findBy(ConversationMemberEntity, among);
        const presentIds = new Set<number>(present.map(({ user_id }) => user_id));
        const newcomers = userIds.filter((id) => !presentIds.has(id));
        if (newcomers.length > 0) await this.#admit(em, conversationId, newcomers);
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
      await leave(em, removed);
      if (removed.role === 'owner') await appointOwner(em, conversationId);
      this.events.left(em, [removedId], conversationId);
      await this.events.updated(em, conversationId);
    });
  }

  /**
   * Lets users in who are no members. The time is taken under the conversation's lock, so it never runs against the
   * order in which members join.
   * @throws {BusinessError} VALIDATION: more than 5,000 members
   */
  async #admit(em: EntityManager, conversationId: ConversationId, newcomers: number[]): Promise<void> {
    const conversation = await em.findOneByOrFail(ConversationEntity, { id: conversationId });
    if (conversation.member_count + newcomers.length > MAX_MEMBERS)
      throw invalidField('user_ids', (words) => words.tooMany(MAX_MEMBERS));
    const eventsAfterSeq = await this.events.eventsAfterSeqOfJoining(em, conversation);
    await join(em, conversation, newcomers, { at: this.clock.now(), eventsAfterSeq });
    await this.events.joined(em, conversation, newcomers);
  }
}

async function appointOwner(em: EntityManager, conversationId: ConversationId): Promise<void> {
  const [oldest] = await em.find(ConversationMemberEntity, {
    where: { conversation_id: conversationId },
    order: BY_JOINING,
    take: 1,
  });
  if (oldest === undefined) return;
  const { conversation_id, user_id } = oldest;
  await em.update(ConversationMemberEntity, { conversation_id, user_id }, { role: 'owner' });
}
