import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock';
import { invalidField } from '../../common/errors/business-error';
import type { ConversationId, UserId } from '../../common/ids';
import type { ConversationMemberEntity } from '../entities/conversation-member.entity';
import { ConversationEvents } from '../events/conversation-events';
import {
  addMembers,
  conversationById,
  membersByJoining,
  removeMembers,
  setRole,
} from '../store/membership-changes.store';
import { MAX_MEMBERS } from '../rules/limits.rules';
import { MemberNotices } from './member-notices';

/** Adds and removes members, with the events and notices that follow. The caller holds the conversation lock. */
@Injectable()
export class Memberships {
  constructor(
    private readonly clock: Clock,
    private readonly events: ConversationEvents,
    private readonly notices: MemberNotices,
  ) {}

  /**
   * Adds users who are not members yet. The clock is read under the conversation lock, so that the joining times have
   * the order in which members join.
   * @throws {BusinessError} VALIDATION: more than 5,000 members
   */
  async add(
    em: EntityManager,
    conversationId: ConversationId,
    actorId: UserId,
    newMemberIds: number[],
  ): Promise<void> {
    const conversation = await conversationById(em, conversationId);
    if (conversation.member_count + newMemberIds.length > MAX_MEMBERS)
      throw invalidField('user_ids', (catalogue) => catalogue.tooMany(MAX_MEMBERS));
    const eventsAfterSeq = await this.events.eventsAfterSeqOfJoining(em, conversation);
    await addMembers(em, conversation, newMemberIds, { at: this.clock.now(), eventsAfterSeq });
    await this.events.joined(em, conversation, newMemberIds);
    await this.notices.added(em, conversationId, actorId, newMemberIds);
  }

  /** Removes a member. If it is the owner, the member who joined first becomes the owner. */
  async remove(em: EntityManager, actorId: UserId, member: ConversationMemberEntity): Promise<void> {
    const { conversation_id, user_id, role } = member;
    await removeMembers(em, member, [user_id]);
    if (role === 'owner') await appointOwner(em, conversation_id);
    this.events.left(em, [user_id], conversation_id);
    await this.events.updated(em, conversation_id);
    await this.notices.gone(em, conversation_id, actorId, user_id);
  }
}

async function appointOwner(em: EntityManager, conversationId: ConversationId): Promise<void> {
  const [oldest] = await membersByJoining(em, conversationId, { offset: 0, limit: 1 });
  if (oldest !== undefined) await setRole(em, conversationId, oldest.user_id, 'owner');
}
