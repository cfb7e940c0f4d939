import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Clock } from '../common/clock';
import { BusinessError } from '../common/errors/business-error';
import type { ItemsPage } from '../common/http/page';
import type { User } from '../identity/users.service';
import { UsersService } from '../identity/users.service';
import {
  conversationRows,
  type ConversationRow,
  countOf,
  pulledKeys,
  pushedKeys,
  rowsOfMembers,
  unreadTotalOf,
} from './conversation.queries';
import {
  type ConversationResponse,
  ConversationsPage,
  type UnreadTotalResponse,
} from './dto/conversation.dto';
import type { ListConversationsQuery } from './dto/conversation-requests.dto';
import { fromNearerEnd, mergePage, pushedSlice } from './list-order';
import { LocalTime } from './local-time';
import { peerIn } from './membership';
import { displayOf } from './message-display';
import { toDate } from '../database/raw-values';
import { extraOf } from './rows';

/** A conversation as a member sees it, and what that member has made of it. */
export interface SeenConversation {
  conversation: ConversationResponse;
  pinned: boolean;
  muted: boolean;
  hidden: boolean;
}

/** Conversations as their members see them. */
@Injectable()
export class ConversationViews {
  constructor(
    private readonly dataSource: DataSource,
    private readonly users: UsersService,
    private readonly clock: Clock,
    private readonly time: LocalTime,
  ) {}

  /** A page of the user's conversations: pinned first, then the newest message (specification 4.14). */
  async list(
    userId: number,
    { type, ...page }: ListConversationsQuery,
  ): Promise<ItemsPage<ConversationResponse>> {
    const em = this.dataSource.manager;
    const of = { userId, type };
    const [count, pulled] = await Promise.all([countOf(em, of), pulledKeys(em, of)]);
    const total = count - pulled.hiddenCount;
    const slice = fromNearerEnd(pushedSlice(page, pulled.shown.length), total - pulled.shown.length);
    const pushed = await pushedKeys(em, of, slice);
    const keys = mergePage(page, pushed, pulled.shown);
    const items = await this.#describe(
      userId,
      keys.map(({ conversation_id }) => conversation_id),
    );
    return new ConversationsPage(items, total, page, keys.filter(({ pinned }) => pinned).length);
  }

  /**
   * One conversation, as this member sees it.
   * @throws {BusinessError} CONVERSATION_FORBIDDEN
   */
  async one(conversationId: number, userId: number): Promise<ConversationResponse> {
    const [conversation] = await this.#describe(userId, [conversationId]);
    if (conversation === undefined) throw new BusinessError('CONVERSATION_FORBIDDEN');
    return conversation;
  }

  /** A conversation as each of its members sees it, by user; as some of them do where they are named. */
  async allOf(
    em: EntityManager,
    conversationId: number,
    userIds?: number[],
  ): Promise<Map<number, SeenConversation>> {
    if (userIds?.length === 0) return new Map();
    const rows = await rowsOfMembers(em, conversationId, userIds);
    const users = await this.users.findByIds(
      rows.flatMap((row) => peopleIn(row, row.user_id)),
      em,
    );
    return new Map(
      rows.map((row) => {
        const { user_id, pinned, muted, hidden } = row;
        const settings = { pinned: Boolean(pinned), muted: Boolean(muted), hidden: Boolean(hidden) };
        return [user_id, { conversation: this.#toResponse(row, user_id, users), ...settings }];
      }),
    );
  }

  /** Unread messages of all conversations that are not muted. */
  async unreadTotal(userId: number): Promise<UnreadTotalResponse> {
    return { count: await unreadTotalOf(this.dataSource.manager, userId) };
  }

  /** The conversations with these ids, in their order, as the user sees them; without those the user is not in. */
  async #describe(userId: number, ids: number[]): Promise<ConversationResponse[]> {
    const rows = await conversationRows(this.dataSource.manager, userId, ids);
    const users = await this.users.findByIds(rows.flatMap((row) => peopleIn(row, userId)));
    const byId = new Map(rows.map((row) => [row.conversation_id, row]));
    return ids.flatMap((id) => {
      const row = byId.get(id);
      return row === undefined ? [] : [this.#toResponse(row, userId, users)];
    });
  }

  #toResponse(row: ConversationRow, userId: number, users: Map<number, User>): ConversationResponse {
    const peer = row.single_key === null ? undefined : users.get(peerIn(row.single_key, userId));
    const last = lastMessageOf(row, userId, users);
    const lastAt = toDate(last === undefined ? row.joined_at : row.last_at);
    const isGroup = row.type === 'group';
    return {
      id: row.conversation_id,
      type: row.type,
      name: isGroup ? row.name : (peer?.name ?? ''),
      avatar: isGroup ? row.avatar : (peer?.avatar ?? null),
      is_group: isGroup,
      member_count: isGroup ? row.member_count : null,
      last_message: last?.display ?? null,
      last_sender_name: isGroup ? (last?.sender_name ?? null) : null,
      time: this.time.relative(lastAt, this.clock.now()),
      last_message_at: this.time.dateTime(lastAt),
      unread_count: row.unread_count,
      message_type: last?.type ?? null,
    };
  }
}

/** Whose names a row needs. */
const peopleIn = ({ single_key, last_sender_id }: ConversationRow, userId: number): number[] => [
  ...(single_key === null ? [] : [peerIn(single_key, userId)]),
  ...(last_sender_id === null ? [] : [last_sender_id]),
];

function lastMessageOf(row: ConversationRow, userId: number, users: Map<number, User>) {
  if (row.last_sender_id === null) return undefined;
  const name = users.get(row.last_sender_id)?.name ?? null;
  const message = {
    type: row.last_type,
    content: row.last_content,
    extra: extraOf(row.last_extra),
    is_recalled: row.last_recalled_at !== null,
  };
  const display = displayOf(message, { is_self: row.last_sender_id === userId, name });
  return { type: row.last_type, sender_name: name, display };
}
