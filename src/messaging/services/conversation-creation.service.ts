import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Avatar } from '../../attachments/services/avatars.service';
import { addAvatarUse } from '../../attachments/store/avatar-uses.store';
import { recordAudit } from '../../audit/recording/record-audit';
import type { Asker } from '../../common/auth/principal';
import type { ConversationId, UserId } from '../../common/ids';
import { BusinessError, invalidField } from '../../common/errors/business-error';
import type { IdempotencyRecord } from '../../database/idempotency/idempotency-record';
import { type RunInTransaction, Transactions } from '../../database/transactions';
import { BlocksService } from '../../people/blocks/blocks.service';
import { singleChatStart } from '../contacts/contacts.store';
import type { ConversationResponse } from '../dto/conversation.dto';
import type { CreateConversationRequest } from '../dto/conversation-requests.dto';
import { ConversationEvents } from '../events/conversation-events';
import { changeSettings } from '../store/member-settings.store';
import { lockConversation, requireMembership, singleKey } from '../store/membership.store';
import { insertConversation, type NewConversation, addMembers } from '../store/membership-changes.store';
import { ConversationViews } from '../views/conversation.views';
import { ConversationFaces } from './conversation-faces';

/** Creates conversations. */
@Injectable()
export class ConversationCreationService {
  constructor(
    private readonly transactions: Transactions,
    private readonly blocks: BlocksService,
    private readonly faces: ConversationFaces,
    private readonly views: ConversationViews,
    private readonly events: ConversationEvents,
  ) {}

  /**
   * Creates a group, once per idempotency key, or opens the single chat with a peer. Two users have one single chat: if
   * it exists already, it is returned, and unhidden if the user has hidden it (API 7.3).
   * @throws {BusinessError} USER_NOT_FOUND (no such peer, or not visible to the user), NOT_ALLOWED (a new single chat
   *   across a block), VALIDATION (the user as their own peer, unknown members), the errors of `AvatarsService.make`,
   *   REQUEST_ID_REUSED,
   *   CONVERSATION_FORBIDDEN (the user has left the conversation that the key created)
   */
  create(
    asker: Asker,
    body: CreateConversationRequest,
    idempotency?: IdempotencyRecord,
  ): Promise<ConversationResponse> {
    return this.transactions.runIdempotent(idempotency, body, {
      create: (run) =>
        body.type === 'single'
          ? this.#openSingle(run, asker, body.peer_id)
          : this.#createGroup(run, asker, body),
      replay: (id) => this.views.one(asker.id, id as ConversationId),
    });
  }

  async #openSingle(run: RunInTransaction, asker: Asker, peerId: number): Promise<ConversationResponse> {
    const userId = asker.id;
    if (peerId === userId) throw invalidField('peer_id', 'invalid');
    const isVisible = await this.blocks.mayName(asker, peerId);
    const single = this.faces.newSingle(singleKey(userId, peerId));
    return run(
      async (em) => {
        const { id, isKnown, isBlocked } = await singleChatStart(em, userId, peerId);
        if (!isKnown || !isVisible) throw new BusinessError('USER_NOT_FOUND');
        if (id !== null) return this.#unhide(em, userId, id);
        if (isBlocked) throw new BusinessError('NOT_ALLOWED');
        return this.#insert(em, userId, single, [peerId]);
      },
      { retryOnDuplicateKey: true },
    );
  }

  /** Returns the existing single chat, and unhides it if the user has hidden it. */
  async #unhide(
    em: EntityManager,
    userId: UserId,
    conversationId: ConversationId,
  ): Promise<ConversationResponse> {
    const conversation = await this.views.one(userId, conversationId, em);
    if (!conversation.hidden) return conversation;
    await lockConversation(em, conversationId);
    const membership = await requireMembership(em, userId, conversationId);
    await changeSettings(em, membership, { hidden: false });
    await this.events.updatedFor(em, conversationId, [userId]);
    recordAudit(em, { object_id: conversationId, before: { hidden: true }, after: { hidden: false } });
    return this.views.one(userId, conversationId, em);
  }

  async #createGroup(
    run: RunInTransaction,
    asker: Asker,
    body: CreateConversationRequest,
  ): Promise<ConversationResponse> {
    const userId = asker.id;
    const { member_ids = [] } = body;
    await this.blocks.assertReachable(asker, member_ids);
    const otherIds = member_ids.filter((id) => id !== userId);
    const { conversation, made } = await this.faces.newGroup(userId, body);
    return run((em) => this.#insert(em, userId, conversation, otherIds, made), { retryOnDuplicateKey: true });
  }

  /** Inserts the conversation with its members. @returns the conversation as its creator sees it */
  async #insert(
    em: EntityManager,
    userId: UserId,
    newConversation: NewConversation,
    otherIds: number[],
    made?: Avatar,
  ): Promise<ConversationResponse> {
    const conversation = await insertConversation(em, newConversation);
    if (made !== undefined) await addAvatarUse(em, 'conversation', conversation.id, made);
    const withOwner = newConversation.type === 'group';
    const memberIds = [userId, ...otherIds];
    await addMembers(em, conversation, memberIds, { at: newConversation.created_at, withOwner });
    await this.events.created(em, conversation, memberIds);
    const after = { type: newConversation.type, name: newConversation.name, member_ids: memberIds };
    recordAudit(em, { object_id: conversation.id, before: null, after });
    return this.views.one(userId, conversation.id, em);
  }
}
