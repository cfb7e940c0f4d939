import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { ConversationId, UserId } from '../../common/ids';
import { Clock } from '../../common/clock';
import { BusinessError } from '../../common/errors/business-error';
import { fromNearerEnd, type ItemsPage } from '../../common/http/page';
import {
  conversationRow,
  type ConversationRow,
  fanOutOnWriteRows,
  rowsOfMembers,
  startOfFirstPage,
  startOfLaterPage,
  unreadTotalOf,
} from '../store/conversation.queries';
import {
  type ConversationResponse,
  ConversationsPageResponse,
  type UnreadTotalResponse,
} from '../dto/conversation.dto';
import type { ListConversationsQuery } from '../dto/conversation-requests.dto';
import { fanOutOnWriteSlice, mergePage } from '../rules/list-order';
import type { Words } from '../../common/words/words';
import { LocalTime } from '../rules/local-time';
import { displayOf } from '../rules/message-display';
import { extraOf } from '../rules/message-content';

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
    private readonly clock: Clock,
    private readonly time: LocalTime,
  ) {}

  /**
   * A page of the user's conversations: pinned first, then the newest message (specification 4.14); and the event
   * cursor from which on events bring it up to date.
   */
  async list(
    userId: UserId,
    { type, ...page }: ListConversationsQuery,
  ): Promise<{ page: ItemsPage<ConversationResponse>; cursor: number }> {
    const em = this.dataSource.manager;
    const of = { userId, type };
    const { count, cursor, fanOutOnRead, fanOutOnWrite } =
      page.page === 1 ? await startOfFirstPage(em, of, page.per_page) : await startOfLaterPage(em, of);
    const shown = fanOutOnRead.filter(({ hidden }) => !hidden);
    // Never below what is shown: a group may grow large between the statements, and then be missing twice.
    const total = Math.max(shown.length, count - (fanOutOnRead.length - shown.length));
    const slice = fromNearerEnd(fanOutOnWriteSlice(page, shown.length), total - shown.length);
    const rows = mergePage(page, fanOutOnWrite ?? (await fanOutOnWriteRows(em, of, slice)), shown);
    const now = this.clock.now();
    const items = rows.map((row) => this.#toResponse(row, now));
    const pinned = rows.filter((row) => row.pinned).length;
    return { page: new ConversationsPageResponse(items, total, page, pinned), cursor };
  }

  /**
   * One conversation, as this member sees it; `em` reads inside a transaction.
   * @throws {BusinessError} CONVERSATION_FORBIDDEN
   */
  async one(
    userId: UserId,
    conversationId: ConversationId,
    em: EntityManager = this.dataSource.manager,
  ): Promise<ConversationResponse> {
    const row = await conversationRow(em, userId, conversationId);
    if (row === undefined) throw new BusinessError('CONVERSATION_FORBIDDEN');
    return this.#toResponse(row);
  }

  /** A conversation as each of its members sees it, by user; as some of them do where they are named. */
  async allOf(
    em: EntityManager,
    conversationId: number,
    userIds?: number[],
  ): Promise<Map<number, SeenConversation>> {
    if (userIds?.length === 0) return new Map();
    const rows = await rowsOfMembers(em, conversationId, userIds);
    return new Map(
      rows.map((row) => {
        const { user_id, pinned, muted, hidden } = row;
        const settings = { pinned, muted: Boolean(muted), hidden: Boolean(hidden) };
        return [user_id, { conversation: this.#toResponse(row), ...settings }];
      }),
    );
  }

  /** Unread messages of all conversations that are not muted. */
  async unreadTotal(userId: UserId): Promise<UnreadTotalResponse> {
    return { count: await unreadTotalOf(this.dataSource.manager, userId) };
  }

  #toResponse(row: ConversationRow, now = this.clock.now()): ConversationResponse {
    const last = lastMessageOf(row, this.time.words);
    const isGroup = row.type === 'group';
    return {
      id: row.conversation_id,
      type: row.type,
      name: isGroup ? row.name : (row.person_name ?? ''),
      avatar: isGroup ? row.avatar : row.person_avatar,
      is_group: isGroup,
      member_count: isGroup ? row.member_count : null,
      last_message: last?.display ?? null,
      last_sender_name: isGroup ? row.person_name : null,
      time: this.time.relative(row.sort_at, now),
      last_message_at: this.time.dateTime(row.sort_at),
      unread_count: row.unread_count,
      message_type: last?.type ?? null,
    };
  }
}

function lastMessageOf(row: ConversationRow, words: Words) {
  if (row.last_sender_id === null) return undefined;
  const { last_type: type, person_name: name } = row;
  const message = {
    type,
    content: row.last_content,
    extra: extraOf(row.last_extra),
    is_recalled: Boolean(row.last_is_recalled),
  };
  const sender = { is_self: row.last_sender_id === row.user_id, name };
  return { type, display: displayOf(message, sender, words) };
}
