import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ConversationId, UserId } from '../../common/ids';
import { Clock } from '../../common/clock';
import { BusinessError } from '../../common/errors/business-error';
import { fromNearerEnd, type ItemsPage, type PageRequest } from '../../common/http/page';
import { Transactions } from '../../database/transactions';
import {
  type ConversationRow,
  countOf,
  fanOutOnWriteRows,
  type ListOf,
  namesOfConversations,
  rowsOfConversations,
  rowsOfMembers,
  startOfFirstPage,
  startOfLaterPage,
} from '../store/conversation.store';
import { unreadTotalOf } from '../store/unread-counts.store';
import {
  type ConversationResponse,
  ConversationsPageResponse,
  type UnreadTotalResponse,
} from '../dto/conversation.dto';
import type { ListConversationsQuery } from '../dto/conversation-requests.dto';
import { fanOutOnWriteSlice, mergePage } from '../rules/list-order.rules';
import type { MessageCatalogue } from '../../common/i18n/catalogue';
import { foldCharacters } from '../search/folded-text.rules';
import { LocalTime } from '../rules/local-time.rules';
import { isMuted } from '../rules/mute.rules';
import { displayOf } from '../rules/message-display.rules';
import { extraOf } from '../rules/message-content.rules';
import { noticeOf } from '../rules/notice.rules';
import { muteOf } from '../store/member-settings.store';

/** A page of conversations, and the event cursor to start from to keep it up to date. */
interface ConversationsPage {
  page: ItemsPage<ConversationResponse>;
  cursor: number;
}

/** Reads conversations as their members see them. */
@Injectable()
export class ConversationViews {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly time: LocalTime,
  ) {}

  /**
   * Returns a page of the user's conversations, pinned ones first, then by newest message (API 7.2), and the
   * event cursor to start from to keep it up to date.
   */
  async list(
    userId: UserId,
    { type, hidden, keyword, ...page }: ListConversationsQuery,
  ): Promise<ConversationsPage> {
    const em = this.transactions.read();
    const filter = { userId, type, hidden: hidden === 1 };
    if (keyword !== undefined) return this.#search(em, filter, keyword, page);
    const { count, cursor, fanOutOnRead, fanOutOnWrite } =
      page.page === 1
        ? await startOfFirstPage(em, filter, page.per_page)
        : await startOfLaterPage(em, filter);
    const shown = fanOutOnRead.filter((row) => Boolean(row.hidden) === filter.hidden);
    // In the list of conversations that are not hidden, `count` includes all large groups, so hidden ones are
    // subtracted. The total is never below `shown`: a hidden group that grows large between the statements would be
    // subtracted twice.
    const large = filter.hidden ? shown.length : shown.length - fanOutOnRead.length;
    const total = Math.max(shown.length, count + large);
    const slice = fromNearerEnd(fanOutOnWriteSlice(page, shown.length), total - shown.length);
    const rows = mergePage(page, fanOutOnWrite ?? (await fanOutOnWriteRows(em, filter, slice)), shown);
    return { page: this.#toPage(rows, total, page), cursor };
  }

  /**
   * Returns a page of the conversations whose name, or peer's name or account, contains a keyword. Reads the names of all
   * of them, and the rows of the page: three statements, regardless of their number.
   */
  async #search(
    em: EntityManager,
    filter: ListOf,
    keyword: string,
    page: PageRequest,
  ): Promise<ConversationsPage> {
    const { cursor } = await countOf(em, filter);
    const folded = foldCharacters(keyword);
    const matches = (await namesOfConversations(em, filter)).filter(({ name, person_name, account }) =>
      [name, person_name, account].some((text) => text !== null && foldCharacters(text).includes(folded)),
    );
    const ids = mergePage(page, [], matches).map(({ conversation_id }) => conversation_id);
    const found = new Map(
      (await rowsOfConversations(em, filter.userId, ids)).map((row) => [row.conversation_id, row]),
    );
    const rows = ids.flatMap((id) => found.get(id) ?? []);
    return { page: this.#toPage(rows, matches.length, page), cursor };
  }

  #toPage(rows: readonly ConversationRow[], total: number, page: PageRequest): ConversationsPageResponse {
    const now = this.clock.now();
    const items = rows.map((row) => this.#toResponse(row, now));
    return new ConversationsPageResponse(items, total, page, rows.filter(({ pinned }) => pinned).length);
  }

  /**
   * Returns a conversation as this member sees it.
   * @param em for reading inside a transaction
   * @throws {BusinessError} CONVERSATION_FORBIDDEN
   */
  async one(
    userId: UserId,
    conversationId: ConversationId,
    em: EntityManager = this.transactions.read(),
  ): Promise<ConversationResponse> {
    const [row] = await rowsOfMembers(em, conversationId, [userId]);
    if (row === undefined) throw new BusinessError('CONVERSATION_FORBIDDEN');
    return this.#toResponse(row);
  }

  /** Returns a conversation as each member, or each of `userIds`, sees it, by user id. */
  async allOf(
    em: EntityManager,
    conversationId: number,
    userIds?: number[],
  ): Promise<Map<number, ConversationResponse>> {
    if (userIds?.length === 0) return new Map();
    const rows = await rowsOfMembers(em, conversationId, userIds);
    return new Map(rows.map((row) => [row.user_id, this.#toResponse(row)]));
  }

  /** Returns the number of unread messages in all conversations that are not muted. */
  async unreadTotal(userId: UserId): Promise<UnreadTotalResponse> {
    return { count: await unreadTotalOf(this.transactions.read(), userId, this.clock.now()) };
  }

  #toResponse(row: ConversationRow, now = this.clock.now()): ConversationResponse {
    const last = row.last_is_cleared ? undefined : lastMessageOf(row, this.time.catalogue);
    const isGroup = row.type === 'group';
    const mute = muteOf(row);
    const muted = isMuted(mute, now);
    return {
      id: row.conversation_id,
      type: row.type,
      name: isGroup ? row.name : (row.person_name ?? ''),
      avatar: isGroup ? row.avatar : row.person_avatar,
      is_group: isGroup,
      member_count: isGroup ? row.member_count : null,
      last_message: last?.display ?? null,
      last_sender_name: isGroup && last !== undefined ? row.person_name : null,
      time: this.time.relative(row.sort_at, now),
      last_message_at: this.time.dateTime(row.sort_at),
      unread_count: row.unread_count,
      message_type: last?.type ?? null,
      last_sent_at: row.last_sender_id === null ? null : row.sort_at.toISOString(),
      last_read_message_id: row.last_read_id,
      muted,
      mute_until: muted ? (mute.mute_until?.toISOString() ?? null) : null,
      pinned: row.pinned,
      hidden: Boolean(row.hidden),
      role: row.role,
      peer_id: row.peer_id,
      last_message_id: last === undefined ? null : row.last_id,
      last_sender_id: last === undefined ? null : row.last_sender_id,
      last_is_recalled: last?.is_recalled ?? false,
      last_is_deleted: last?.is_deleted ?? false,
      last_notice: last?.notice ?? null,
      mention_id: row.mention_id,
    };
  }
}

function lastMessageOf(row: ConversationRow, catalogue: MessageCatalogue) {
  if (row.last_sender_id === null) return undefined;
  const { last_type: type, person_name: name } = row;
  const is_recalled = Boolean(row.last_is_recalled);
  const is_deleted = Boolean(row.last_is_deleted);
  const state = { type, is_recalled, is_deleted, notice: noticeOf(row.last_notice) };
  if (is_deleted) return { ...state, display: catalogue.messages.messageDeleted };
  const message = { type, content: row.last_content, extra: extraOf(row.last_extra), is_recalled };
  const sender = { is_self: row.last_sender_id === row.user_id, name };
  return { ...state, display: displayOf(message, sender, catalogue) };
}
