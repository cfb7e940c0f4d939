import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DataSource } from 'typeorm';
import { Clock } from '../common/clock';
import { BusinessError, invalidField } from '../common/errors/business-error';
import { insertedId } from '../database/inserted-id';
import { Transactions } from '../database/transactions';
import { UsersService } from '../identity/users.service';
import { ConversationViews } from './conversation-views.service';
import { ConversationEvents } from './conversation-events';
import type { ConversationResponse } from './dto/conversation.dto';
import type {
  ChangeConversationRequest,
  ConversationSettingsRequest,
  CreateConversationRequest,
} from './dto/conversation-requests.dto';
import { ConversationMemberEntity } from './entities/conversation-member.entity';
import { ConversationEntity } from './entities/conversation.entity';
import { join } from './joining';
import { lockConversation, requireMembership, singleKey } from './membership';
import { refuseUnknownUsers } from './unknown-users';

/** What makes a conversation new. */
type Beginning = Pick<ConversationEntity, 'type' | 'single_key' | 'name' | 'avatar'>;

/** Conversations come into being and change, for all members or for one. */
@Injectable()
export class ConversationsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly users: UsersService,
    private readonly clock: Clock,
    private readonly views: ConversationViews,
    private readonly events: ConversationEvents,
  ) {}

  /**
   * A new group, or the single chat of two users, which is made once (contract 6).
   * @throws {BusinessError} USER_NOT_FOUND (the peer), VALIDATION (oneself as the peer, unknown members)
   */
  async create(userId: number, body: CreateConversationRequest): Promise<ConversationResponse> {
    const id =
      body.type === 'single'
        ? await this.#openSingle(userId, body.peer_id)
        : await this.#createGroup(userId, body);
    return this.views.one(id, userId);
  }

  /**
   * Changes a group's name or picture.
   * @throws {BusinessError} CONVERSATION_FORBIDDEN, NOT_ALLOWED (not the owner)
   */
  async change(id: number, userId: number, body: ChangeConversationRequest): Promise<ConversationResponse> {
    const { role } = await requireMembership(this.dataSource.manager, id, userId);
    if (role !== 'owner') throw new BusinessError('NOT_ALLOWED');
    const { name, avatar } = body;
    const changes = { ...(name === undefined ? {} : { name }), ...(avatar === undefined ? {} : { avatar }) };
    if (Object.keys(changes).length > 0)
      await this.transactions.run(async (em) => {
        await em.update(ConversationEntity, { id }, changes);
        await this.events.updated(em, id);
      });
    return this.views.one(id, userId);
  }

  /**
   * Changes what a conversation is to this member alone. Hiding lasts until the next message.
   * @throws {BusinessError} CONVERSATION_FORBIDDEN
   */
  async changeSettings(
    id: number,
    userId: number,
    { pinned, muted, hidden }: ConversationSettingsRequest,
  ): Promise<ConversationResponse> {
    await requireMembership(this.dataSource.manager, id, userId);
    const changes = {
      ...(pinned === undefined ? {} : { pinned }),
      ...(muted === undefined ? {} : { muted }),
      ...(hidden === undefined ? {} : { hidden }),
      ...(hidden ? { hidden_seq: () => `(SELECT max_seq FROM conversations WHERE id = ${id})` } : {}),
      ...(hidden === false ? { hidden_seq: -1 } : {}),
    };
    const mine = { conversation_id: id, user_id: userId };
    if (Object.keys(changes).length > 0)
      await this.transactions.run(async (em) => {
        // `hidden_seq` must be of the newest message, not of one that is just being overtaken.
        if (hidden) await lockConversation(em, id);
        await em.update(ConversationMemberEntity, mine, changes);
        await this.events.settled(em, id, userId);
      });
    return this.views.one(id, userId);
  }

  async #openSingle(userId: number, peerId: number): Promise<number> {
    if (peerId === userId) throw invalidField('peer_id', '取值无效');
    const peers = await this.users.findByIds([peerId]);
    if (!peers.has(peerId)) throw new BusinessError('USER_NOT_FOUND');
    const single_key = singleKey(userId, peerId);
    const at = this.clock.now();
    return this.transactions.run(
      async (em) => {
        const existing = await em.findOneBy(ConversationEntity, { single_key });
        if (existing !== null) return existing.id;
        const conversation = await begin(em, { type: 'single', single_key, name: '', avatar: null }, at);
        await join(em, conversation, [userId, peerId], { at });
        await this.events.joined(em, conversation);
        return conversation.id;
      },
      { retryWhenTaken: true },
    );
  }

  async #createGroup(
    userId: number,
    { name, avatar, member_ids = [] }: CreateConversationRequest,
  ): Promise<number> {
    await refuseUnknownUsers(this.users, member_ids);
    const members = [userId, ...member_ids.filter((id) => id !== userId)];
    const at = this.clock.now();
    return this.transactions.run(
      async (em) => {
        const conversation = await begin(
          em,
          { type: 'group', single_key: null, name, avatar: avatar ?? null },
          at,
        );
        await join(em, conversation, members, { at, withOwner: true });
        await this.events.joined(em, conversation);
        return conversation.id;
      },
      { retryWhenTaken: true },
    );
  }
}

/** A conversation without messages and members. */
async function begin(em: EntityManager, beginning: Beginning, at: Date): Promise<ConversationEntity> {
  const conversation = {
    ...beginning,
    member_count: 0,
    max_seq: 0,
    last_recalled_seq: 0,
    first_read_seq: 0,
    first_gap_seq: 0,
    pulled: false,
    created_at: at,
  };
  const id = insertedId(await em.insert(ConversationEntity, conversation));
  return { ...conversation, id };
}
