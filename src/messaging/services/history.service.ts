import { Injectable } from '@nestjs/common';
import type { ConversationId, MessageId, UserId } from '../../common/ids';
import { queryBatcher } from '../../common/concurrency/query-batcher';
import { BusinessError, invalidField } from '../../common/errors/business-error';
import { ItemsPage } from '../../common/http/page';
import { Transactions } from '../../database/transactions';
import type { MessageResponse } from '../dto/message.dto';
import type { HistoryQuery } from '../dto/message-requests.dto';
import {
  firstVisible,
  pageRange,
  rangeBeside,
  type SeqRange,
  totalOf,
  type Visible,
} from '../rules/history-range.rules';
import { findMemberships, type Membership, type MemberKey } from '../store/membership.store';
import { messagesIn, seqOfMessage } from '../store/message.store';
import { requirePlace, requireVisible } from '../store/visible-message.store';
import { MessageViews } from '../views/message.views';
import { ReadPositionsService } from './read-positions.service';

/** Reads the history of a conversation, newest message first. */
@Injectable()
export class HistoryService {
  /** Lookups of one event-loop turn share a query. */
  readonly #memberships = queryBatcher<Membership | undefined, MemberKey>(
    (keys) => findMemberships(this.transactions.read(), keys),
    undefined,
  );

  constructor(
    private readonly transactions: Transactions,
    private readonly readPositions: ReadPositionsService,
    private readonly views: MessageViews,
  ) {}

  /**
   * Returns a page of the history (API 8.3). Unless `mark_read` is 0, marks the conversation read up to the
   * newest message that `total` counts; a message that arrives meanwhile stays unread.
   * @param isSafe whether the request is a HEAD, which the GET route serves too: a prefetch by a browser or proxy must
   *   not mark messages read
   * @throws {BusinessError} CONVERSATION_FORBIDDEN, MESSAGE_NOT_FOUND (`before_id` or `after_id`), VALIDATION (both
   *   given)
   */
  async page(
    userId: UserId,
    conversationId: ConversationId,
    query: HistoryQuery,
    { isSafe }: { isSafe: boolean },
  ): Promise<ItemsPage<MessageResponse>> {
    if (query.before_id !== undefined && query.after_id !== undefined)
      throw invalidField('after_id', 'invalid');
    const em = this.transactions.read();
    const anchorId = query.before_id ?? query.after_id;
    // Read before the membership, so that the membership's `max_seq` covers the anchor.
    const anchor = anchorId === undefined ? undefined : await seqOfMessage(em, conversationId, anchorId);
    const membership = await this.#memberships.load(`${conversationId}:${userId}`);
    if (membership === undefined) throw new BusinessError('CONVERSATION_FORBIDDEN');
    const visible = { first: firstVisible(membership), top: membership.max_seq };
    if (anchorId !== undefined && (anchor === undefined || anchor < visible.first))
      throw new BusinessError('MESSAGE_NOT_FOUND');

    if (query.mark_read !== 0 && !isSafe) await this.readPositions.advance(membership, visible.top);
    const { range, page } = sliceOf(visible, query, anchor);
    const messages = await messagesIn(em, conversationId, range);
    return page(await this.views.describe(membership, messages));
  }

  /**
   * Returns one message without marking it read (API 8.3).
   * @throws {BusinessError} MESSAGE_NOT_FOUND (or not visible to the user)
   */
  async one(userId: UserId, messageId: MessageId): Promise<MessageResponse> {
    const manager = this.transactions.read();
    const key = await requirePlace(manager, messageId);
    const { membership, message } = await requireVisible(manager, userId, key);
    return this.views.describeOne(membership, message);
  }
}

type Paginate = (items: MessageResponse[]) => ItemsPage<MessageResponse>;

/** Returns the range of messages to read, and a function that makes the response page of them. */
function sliceOf(
  visible: Visible,
  { before_id, ...query }: HistoryQuery,
  anchor: number | undefined,
): { range: SeqRange; page: Paginate } {
  const total = totalOf(visible);
  if (anchor === undefined)
    return { range: pageRange(visible, query), page: (items) => new ItemsPage(items, total, query) };

  const side = before_id === undefined ? 'newer' : 'older';
  const { hasMore, ...range } = rangeBeside(visible, { side, seq: anchor, count: query.per_page });
  return {
    range,
    page: (items) => {
      const response = new ItemsPage(items, total, { page: 1, per_page: query.per_page });
      response.pagination.has_more = hasMore;
      return response;
    },
  };
}
