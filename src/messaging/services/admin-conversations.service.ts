import { Injectable } from '@nestjs/common';
import { recordAudit } from '../../audit/recording/record-audit';
import { BusinessError } from '../../common/errors/business-error';
import { type ListName, keysetPage, readCursor } from '../../common/http/keyset';
import { type ItemsPage } from '../../common/http/page';
import type { ConversationId } from '../../common/ids';
import { Transactions } from '../../database/transactions';
import { type User, UsersService } from '../../identity/users.service';
import type {
  AdminConversationDetailResponse,
  AdminConversationResponse,
  AdminConversationsResponse,
  ListAllConversationsQuery,
} from '../dto/admin-conversation.dto';
import type { MemberResponse } from '../dto/conversation.dto';
import type { MembersQuery } from '../dto/conversation-requests.dto';
import { ConversationEvents } from '../events/conversation-events';
import { countSent } from '../rules/conversation-activity.rules';
import { LocalTime } from '../rules/local-time.rules';
import {
  findConversation,
  type ListedConversation,
  newestConversations,
  sentAfter,
} from '../store/admin-conversations.store';
import { removeMembers } from '../store/membership-changes.store';
import { lockConversation } from '../store/membership.store';
import { MemberViews } from '../views/member.views';

/** Number of the newest messages that the statistics of a conversation count, so that they read one short range. */
const MAX_COUNTED = 1_000;
const MAX_SENDERS = 10;

/** Lists and closes conversations for administrators (API 15.5). */
@Injectable()
export class AdminConversationsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly users: UsersService,
    private readonly events: ConversationEvents,
    private readonly members: MemberViews,
    private readonly time: LocalTime,
  ) {}

  /**
   * Returns a page of the conversations of all users, newest first.
   * @throws {BusinessError} VALIDATION `cursor 取值无效`
   */
  async list({ limit, cursor, ...filter }: ListAllConversationsQuery): Promise<AdminConversationsResponse> {
    const list: ListName = ['conversations', filter.type, filter.keyword, filter.user_id];
    const below = readCursor(list, cursor);
    const found = await newestConversations(this.transactions.read(), { ...filter, below }, limit + 1);
    const users = await this.users.findByIds(found.flatMap(personIdsOf));
    return keysetPage(list, { found, limit }, (row) => toResponse(row, users));
  }

  /** Returns a conversation with its statistics. @throws {BusinessError} CONVERSATION_NOT_FOUND */
  async get(id: ConversationId): Promise<AdminConversationDetailResponse> {
    const em = this.transactions.read();
    const conversation = await this.#require(id);
    const sent = await sentAfter(em, id, conversation.max_seq - MAX_COUNTED);
    const { days, senders } = countSent(sent, (moment) => this.time.dateTime(moment).slice(0, 10));
    const top = senders.slice(0, MAX_SENDERS);
    const users = await this.users.findByIds([
      ...personIdsOf(conversation),
      ...top.map(({ user_id }) => user_id),
    ]);
    return Object.assign(toResponse(conversation, users), {
      notice_count: conversation.notice_count,
      counted_messages: sent.length,
      days,
      senders: top.map((sender) => ({ ...sender, name: users.get(sender.user_id)?.name ?? null })),
    });
  }

  /** Returns a page of the members, in the order in which they joined. @throws {BusinessError} CONVERSATION_NOT_FOUND */
  async listMembers(id: ConversationId, query: MembersQuery): Promise<ItemsPage<MemberResponse>> {
    const { member_count } = await this.#require(id);
    return this.members.page(id, member_count, query);
  }

  /**
   * Closes a group: removes all members. `AbandonedConversationsService` deletes the conversation and its messages
   * later.
   * @throws {BusinessError} CONVERSATION_NOT_FOUND, NOT_ALLOWED (a single chat)
   */
  async close(id: ConversationId): Promise<void> {
    const { type } = await this.#require(id);
    if (type === 'single') throw new BusinessError('NOT_ALLOWED');
    await this.transactions.run(async (em) => {
      await lockConversation(em, id);
      // Read again under the lock: another request may have closed it meanwhile.
      const conversation = await findConversation(em, id);
      if (conversation === undefined) throw new BusinessError('CONVERSATION_NOT_FOUND');
      const { name, member_count } = conversation;
      this.events.left(em, await removeMembers(em, { conversation_id: id, type }), id);
      recordAudit(em, { object_id: id, before: { name, member_count }, after: null });
    });
  }

  async #require(id: ConversationId): Promise<ListedConversation> {
    const conversation = await findConversation(this.transactions.read(), id);
    if (conversation === undefined) throw new BusinessError('CONVERSATION_NOT_FOUND');
    return conversation;
  }
}

/** Returns the ids of the users of a single chat, which its key contains. */
const personIdsOf = ({ single_key }: ListedConversation): number[] =>
  single_key === null ? [] : [...new Set(single_key.split(':').map(Number))];

const toResponse = (
  conversation: ListedConversation,
  users: ReadonlyMap<number, User>,
): AdminConversationResponse => ({
  id: conversation.id,
  type: conversation.type,
  name: conversation.type === 'group' ? conversation.name : null,
  avatar: conversation.avatar,
  people: personIdsOf(conversation).map((user_id) => ({ user_id, name: users.get(user_id)?.name ?? null })),
  member_count: conversation.member_count,
  message_count: conversation.max_seq,
  last_message_at: conversation.last_message_at,
  created_at: conversation.created_at,
});
