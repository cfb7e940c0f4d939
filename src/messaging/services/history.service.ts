import { Injectable } from '@nestjs/common';
import type { ConversationId, MessageId, UserId } from '../../common/ids';
import { BusinessError, invalidField } from '../../common/errors/business-error';
import { ItemsPage } from '../../common/http/page';
import { Transactions } from '../../database/transactions';
import type { MessageResponse } from '../dto/message.dto';
import type { HistoryQuery } from '../dto/message-requests.dto';
import { firstVisible, hasMoreBeyond, pageRange, rangeBeside, totalOf } from '../rules/history-range.rules';
import { historyOf, seqOfMessage } from '../store/message.store';
import { requirePlace, requireVisible } from '../store/visible-message.store';
import { MessageViews } from '../views/message.views';
import { ReadPositionsService } from './read-positions.service';

/** Reads the history of a conversation, newest message first. */
@Injectable()
export class HistoryService {
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
    const side = query.before_id === undefined ? 'newer' : 'older';
    const range = anchorId === undefined ? pageRange(query) : rangeBeside(side, anchor ?? 0, query.per_page);
    const isRelative = anchorId === undefined;
    const found = await historyOf(em, userId, conversationId, { ...range, isRelative });
    if (found === undefined) throw new BusinessError('CONVERSATION_FORBIDDEN');
    const { membership, messages } = found;
    const visible = { first: firstVisible(membership), top: membership.max_seq };
    if (anchorId !== undefined && (anchor === undefined || anchor < visible.first))
      throw new BusinessError('MESSAGE_NOT_FOUND');

    if (query.mark_read !== 0 && !isSafe) await this.readPositions.advance(membership, visible.top);
    const items = await this.views.describe(membership, messages);
    const total = totalOf(visible);
    if (anchorId === undefined) return new ItemsPage(items, total, query);
    const page = new ItemsPage(items, total, { page: 1, per_page: query.per_page });
    page.pagination.has_more = hasMoreBeyond(side, range, visible);
    return page;
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
