import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { ConversationId, MessageId, UserId } from '../../common/ids';
import { batch } from '../../common/concurrency/batch';
import { BusinessError, invalidField } from '../../common/errors/business-error';
import { ItemsPage } from '../../common/http/page';
import type { MessageResponse } from '../dto/message.dto';
import type { HistoryQuery } from '../dto/message-requests.dto';
import {
  firstVisible,
  pageRange,
  rangeBeside,
  type SeqRange,
  totalOf,
  type Visible,
} from '../rules/history-range';
import { findMemberships, type Membership, type Place } from '../store/membership';
import { messagesIn, seqOfMessage } from '../store/message.queries';
import { requirePlace, requireVisible } from '../store/marks/visible-message';
import { MessageViews } from '../views/message-views';
import { ReadPositionsService } from './read-positions.service';

/** The messages of a conversation, newest first. */
@Injectable()
export class HistoryService {
  /** Whoever asks at the same time shares a query. */
  readonly #memberships = batch<Membership | undefined, Place>(
    (places) => findMemberships(this.dataSource.manager, places),
    undefined,
  );

  constructor(
    private readonly dataSource: DataSource,
    private readonly readPositions: ReadPositionsService,
    private readonly views: MessageViews,
  ) {}

  /**
   * A page of the history (specification 4.15). Unless `mark_read` is 0, the conversation is then read up to the
   * newest message that `total` counts; one that arrives meanwhile stays unread.
   * @param isSafe a HEAD, which comes along with GET: a browser's or a proxy's look ahead reads nothing
   * @throws {BusinessError} CONVERSATION_FORBIDDEN, MESSAGE_NOT_FOUND (the one to look beside), VALIDATION
   */
  async page(
    userId: UserId,
    conversationId: ConversationId,
    query: HistoryQuery,
    { isSafe }: { isSafe: boolean },
  ): Promise<ItemsPage<MessageResponse>> {
    if (query.before_id !== undefined && query.after_id !== undefined)
      throw invalidField('after_id', '取值无效');
    const em = this.dataSource.manager;
    const anchorId = query.before_id ?? query.after_id;
    // Looked up first: what exists by then is among what the membership's row knows of.
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
   * One message. Nothing is marked read by it (contract 16.3).
   * @throws {BusinessError} MESSAGE_NOT_FOUND (or not the user's to see)
   */
  async one(userId: UserId, messageId: MessageId): Promise<MessageResponse> {
    const { manager } = this.dataSource;
    const found = await requireVisible(manager, userId, await requirePlace(manager, messageId));
    return this.views.describeOne(found.membership, found.message);
  }
}

type Paginate = (items: MessageResponse[]) => ItemsPage<MessageResponse>;

/** Which messages are asked for, and how they are made into the answer. */
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
      const answer = new ItemsPage(items, total, { page: 1, per_page: query.per_page });
      answer.pagination.has_more = hasMore;
      return answer;
    },
  };
}
