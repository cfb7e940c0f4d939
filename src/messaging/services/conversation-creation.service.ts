import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ConversationId, UserId } from '../../common/ids';
import { Clock } from '../../common/clock';
import { BusinessError, invalidField } from '../../common/errors/business-error';
import { Transactions } from '../../database/transactions';
import { UsersService } from '../../identity/users.service';
import type { ConversationResponse } from '../dto/conversation.dto';
import type { CreateConversationRequest } from '../dto/conversation-requests.dto';
import { ConversationEntity } from '../entities/conversation.entity';
import { ConversationEvents } from '../events/conversation-events';
import { changeSettings } from '../store/member-settings';
import { lockConversation, requireMembership, singleKey } from '../store/membership';
import { begin, type Beginning, join } from '../store/membership-changes';
import { ConversationViews } from '../views/conversation-views';
import { assertUsersExist } from './assert-users-exist';

/** Conversations come into being. */
@Injectable()
export class ConversationCreationService {
  constructor(
    private readonly transactions: Transactions,
    private readonly users: UsersService,
    private readonly clock: Clock,
    private readonly views: ConversationViews,
    private readonly events: ConversationEvents,
  ) {}

  /**
   * A new group, or the single chat of two users, which is made once and comes back to who has hidden it (contract 6, 18.3).
   * @throws {BusinessError} USER_NOT_FOUND (the peer), VALIDATION (oneself as the peer, unknown members)
   */
  create(userId: UserId, body: CreateConversationRequest): Promise<ConversationResponse> {
    return body.type === 'single' ? this.#openSingle(userId, body.peer_id) : this.#createGroup(userId, body);
  }

  async #openSingle(userId: UserId, peerId: number): Promise<ConversationResponse> {
    if (peerId === userId) throw invalidField('peer_id', '取值无效');
    const peers = await this.users.findByIds([peerId]);
    if (!peers.has(peerId)) throw new BusinessError('USER_NOT_FOUND');
    const single_key = singleKey(userId, peerId);
    const at = this.clock.now();
    return this.transactions.run(
      async (em) => {
        const existing = await em.findOneBy(ConversationEntity, { single_key });
        if (existing !== null) return this.#bringBack(em, userId, existing.id);
        const beginning = { type: 'single', single_key, name: '', avatar: null, created_at: at } as const;
        return this.#begin(em, userId, beginning, [peerId]);
      },
      { retryWhenTaken: true },
    );
  }

  /** The single chat that there is; one that the user has hidden is shown again. */
  async #bringBack(
    em: EntityManager,
    userId: UserId,
    conversationId: ConversationId,
  ): Promise<ConversationResponse> {
    const conversation = await this.views.one(userId, conversationId, em);
    if (!conversation.hidden) return conversation;
    await lockConversation(em, conversationId);
    const membership = await requireMembership(em, userId, conversationId);
    await changeSettings(em, membership, { hidden: false }, this.clock.now());
    await this.events.settingsChanged(em, userId, conversationId);
    return this.views.one(userId, conversationId, em);
  }

  async #createGroup(
    userId: UserId,
    { name, avatar, member_ids = [] }: CreateConversationRequest,
  ): Promise<ConversationResponse> {
    await assertUsersExist(this.users, member_ids);
    const others = member_ids.filter((id) => id !== userId);
    const about = { name, avatar: avatar ?? null, created_at: this.clock.now() };
    const group = { type: 'group', single_key: null, ...about } as const;
    return this.transactions.run((em) => this.#begin(em, userId, group, others), { retryWhenTaken: true });
  }

  /** The new conversation, as the one who makes it sees it. */
  async #begin(
    em: EntityManager,
    userId: UserId,
    beginning: Beginning,
    otherIds: number[],
  ): Promise<ConversationResponse> {
    const conversation = await begin(em, beginning);
    const withOwner = beginning.type === 'group';
    await join(em, conversation, [userId, ...otherIds], { at: beginning.created_at, withOwner });
    await this.events.joined(em, conversation);
    return this.views.one(userId, conversation.id, em);
  }
}
