import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock';
import { invalidField } from '../../common/errors/business-error';
import type { ConversationId, UserId } from '../../common/ids';
import { ConversationMemberEntity } from '../entities/conversation-member.entity';
import { ConversationEntity } from '../entities/conversation.entity';
import { ConversationEvents } from '../events/conversation-events';
import { join, leave } from '../store/membership-changes';
import { MAX_MEMBERS } from '../rules/limits';
import { BY_JOINING } from '../views/member-views';
import { MemberNotices } from './notices/member-notices';

/** What follows from coming into a group and going out of it. The group is under its lock. */
@Injectable()
export class Memberships {
  constructor(
    private readonly clock: Clock,
    private readonly events: ConversationEvents,
    private readonly notices: MemberNotices,
  ) {}

  /**
   * Lets users in who are no members. The time is taken under the conversation's lock, so it never runs against the
   * order in which members join.
   * @throws {BusinessError} VALIDATION: more than 5,000 members
   */
  async admit(
    em: EntityManager,
    conversationId: ConversationId,
    actorId: UserId,
    newcomers: number[],
  ): Promise<void> {
    const conversation = await em.findOneByOrFail(ConversationEntity, { id: conversationId });
    if (conversation.member_count + newcomers.length > MAX_MEMBERS)
      throw invalidField('user_ids', (words) => words.tooMany(MAX_MEMBERS));
    const eventsAfterSeq = await this.events.eventsAfterSeqOfJoining(em, conversation);
    await join(em, conversation, newcomers, { at: this.clock.now(), eventsAfterSeq });
    await this.events.joined(em, conversation, newcomers);
    await this.notices.added(em, conversationId, actorId, newcomers);
  }

  /** Lets a member go; when it is the owner, who has been there longest inherits. */
  async dismiss(em: EntityManager, actorId: UserId, member: ConversationMemberEntity): Promise<void> {
    const { conversation_id, user_id, role } = member;
    await leave(em, member);
    if (role === 'owner') await appointOwner(em, conversation_id);
    this.events.left(em, [user_id], conversation_id);
    await this.events.updated(em, conversation_id);
    await this.notices.gone(em, conversation_id, actorId, user_id);
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
