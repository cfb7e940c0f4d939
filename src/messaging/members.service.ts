import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, In } from 'typeorm';
import { Clock } from '../common/clock';
import { BusinessError, invalidField } from '../common/errors/business-error';
import { Transactions } from '../database/transactions';
import { UsersService } from '../identity/users.service';
import { ConversationViews } from './conversation-views.service';
import { ConversationEvents } from './conversation-events';
import type { ConversationResponse } from './dto/conversation.dto';
import { ConversationMemberEntity } from './entities/conversation-member.entity';
import { ConversationEntity } from './entities/conversation.entity';
import { join, leave } from './joining';
import { BY_JOINING } from './member-views.service';
import { lockConversation, type Membership, requireMembership } from './membership';
import { refuseUnknownUsers } from './unknown-users';

const MAX_MEMBERS = 5000;

/** Coming into a group and leaving it (contract 6). */
@Injectable()
export class MembersService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly users: UsersService,
    private readonly clock: Clock,
    private readonly views: ConversationViews,
    private readonly events: ConversationEvents,
  ) {}

  /**
   * The owner adds users; those who are members already are left as they are.
   * @throws {BusinessError} CONVERSATION_FORBIDDEN, NOT_ALLOWED, VALIDATION (unknown users, more than 5,000 members)
   */
  async add(conversation_id: number, userId: number, userIds: number[]): Promise<ConversationResponse> {
    // Asked before the users are looked up, so that nobody else learns who exists; decided again under the lock.
    mustOwn(await requireMembership(this.dataSource.manager, conversation_id, userId));
    await refuseUnknownUsers(this.users, userIds);
    const at = this.clock.now();
    await this.transactions.run(
      async (em) => {
        await lockConversation(em, conversation_id);
        mustOwn(await requireMembership(em, conversation_id, userId));
        const present = await em.findBy(ConversationMemberEntity, { conversation_id, user_id: In(userIds) });
        const presentIds = new Set(present.map(({ user_id }) => user_id));
        const newcomers = userIds.filter((id) => !presentIds.has(id));
        if (newcomers.length === 0) return;
        const conversation = await em.findOneByOrFail(ConversationEntity, { id: conversation_id });
        if (conversation.member_count + newcomers.length > MAX_MEMBERS)
          throw invalidField('user_ids', `数量不能超过 ${MAX_MEMBERS}`);
        const hearsAfter = await this.events.hearsAfterJoining(em, conversation);
        await join(em, conversation, newcomers, { at, hearsAfter });
        await this.events.joined(em, conversation, newcomers);
      },
      { retryWhenTaken: true },
    );
    return this.views.one(conversation_id, userId);
  }

  /**
   * The owner removes a member, or a member leaves. When the owner leaves, who has been there longest inherits.
   * @throws {BusinessError} CONVERSATION_FORBIDDEN, USER_NOT_FOUND (not a member), NOT_ALLOWED
   */
  async remove(conversation_id: number, userId: number, removedId: number): Promise<void> {
    await this.transactions.run(async (em) => {
      await lockConversation(em, conversation_id);
      const actor = await requireMembership(em, conversation_id, userId);
      const removed = await em.findOneBy(ConversationMemberEntity, { conversation_id, user_id: removedId });
      if (removed === null) throw new BusinessError('USER_NOT_FOUND');
      if (actor.type === 'single') throw new BusinessError('NOT_ALLOWED');
      if (removedId !== userId) mustOwn(actor);
      await leave(em, removed);
      if (removed.role === 'owner') await appointOwner(em, conversation_id);
      this.events.left(em, conversation_id, removedId);
      await this.events.updated(em, conversation_id);
    });
  }
}

/** Only a group has an owner, so nobody owns a single chat. */
function mustOwn({ role }: Membership): void {
  if (role !== 'owner') throw new BusinessError('NOT_ALLOWED');
}

async function appointOwner(em: EntityManager, conversation_id: number): Promise<void> {
  const [oldest] = await em.find(ConversationMemberEntity, {
    where: { conversation_id },
    order: BY_JOINING,
    take: 1,
  });
  if (oldest === undefined) return;
  const { user_id } = oldest;
  await em.update(ConversationMemberEntity, { conversation_id, user_id }, { role: 'owner' });
}
