import { Injectable } from '@nestjs/common';
import type { MessageId, UserId } from '../../common/ids';
import { BusinessError } from '../../common/errors/business-error';
import { ItemsPage, offsetOf } from '../../common/http/page';
import { Transactions } from '../../database/transactions';
import { UsersService } from '../../identity/users.service';
import { ReadersPageResponse } from '../dto/message.dto';
import type { ReactorResponse, ReactorsQuery } from '../dto/message-marks.dto';
import type { ReadersQuery } from '../dto/message-requests.dto';
import { LocalTime } from '../rules/local-time.rules';
import { emojiKey } from '../rules/reactions.rules';
import { reactionsIn, reactionsSlice } from '../store/reaction.store';
import { readersAudience, readersSlice } from '../store/readers.store';
import { type MemberMessage, requirePlace, requireVisible } from '../store/visible-message.store';

/** Lists the users who have read a message, for its sender (API 8.8), and the reactions to it, for members who see it (API 8.9). */
@Injectable()
export class MessageAudienceViews {
  constructor(
    private readonly transactions: Transactions,
    private readonly users: UsersService,
    private readonly time: LocalTime,
  ) {}

  /**
   * Returns a page of the members who have read the user's message, the first reader first, without former members.
   * @throws {BusinessError} MESSAGE_NOT_FOUND (or sent by another user, in a conversation that the user has left, or
   *   cleared or deleted by the user), NOT_ALLOWED (a notice, which has no readers)
   */
  async listReaders(userId: UserId, messageId: MessageId, page: ReadersQuery): Promise<ReadersPageResponse> {
    const em = this.transactions.read();
    const { message } = await this.#requireMessage(userId, messageId);
    if (message.sender_id !== userId) throw new BusinessError('MESSAGE_NOT_FOUND');
    const counts = await readersAudience(em, message);
    const readers = await readersSlice(em, message, { offset: offsetOf(page), limit: page.per_page });
    const personOf = await this.#loadPeople(readers);
    const items = readers.map(({ user_id, read_at }) => ({
      ...personOf(user_id),
      read_at: this.time.dateTime(read_at),
    }));
    return new ReadersPageResponse(items, page, counts);
  }

  /**
   * Returns a page of the reactions with one emoji or with any, the earliest first. Includes reactions of former
   * members.
   * @throws {BusinessError} MESSAGE_NOT_FOUND (or not visible to the user), NOT_ALLOWED (a notice)
   */
  async listReactors(
    userId: UserId,
    messageId: MessageId,
    { emoji, ...page }: ReactorsQuery,
  ): Promise<ItemsPage<ReactorResponse>> {
    const em = this.transactions.read();
    const { membership, message } = await this.#requireMessage(userId, messageId);
    const { seq } = message;
    const key = emoji === undefined ? undefined : emojiKey(emoji);
    const tallies = (await reactionsIn(em, membership, { from: seq, to: seq })).get(seq) ?? [];
    const matching = tallies.filter(({ emoji_key }) => key === undefined || emoji_key === key);
    const total = matching.reduce((sum, { count }) => sum + count, 0);
    const slice = { offset: offsetOf(page), limit: page.per_page };
    const reactions = total === 0 ? [] : await reactionsSlice(em, message, key, slice);
    const personOf = await this.#loadPeople(reactions);
    const items = reactions.map(({ user_id, emoji: shown, created_at }) => ({
      ...personOf(user_id),
      emoji: shown,
      created_at: this.time.dateTime(created_at),
    }));
    return new ItemsPage(items, total, page);
  }

  async #requireMessage(userId: UserId, messageId: MessageId): Promise<MemberMessage> {
    const em = this.transactions.read();
    const found = await requireVisible(em, userId, await requirePlace(em, messageId));
    if (found.message.notice !== null) throw new BusinessError('NOT_ALLOWED');
    return found;
  }

  /** Loads the users of rows. Their name and picture are null when they no longer exist. */
  async #loadPeople(rows: readonly { user_id: number }[]) {
    const users = await this.users.findByIds(rows.map(({ user_id }) => user_id));
    return (user_id: number) => {
      const { name = null, avatar = null } = users.get(user_id) ?? {};
      return { user_id, name, avatar };
    };
  }
}
