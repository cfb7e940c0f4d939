import { Injectable } from '@nestjs/common';
import { BusinessError } from '../../common/errors/business-error';
import { ItemsPage, offsetOf } from '../../common/http/page';
import type { MessageId, UserId } from '../../common/ids';
import { Transactions } from '../../database/transactions';
import { UsersService } from '../../identity/users.service';
import type { ReactorResponse, ReactorsQuery } from '../dto/message-marks.dto';
import { LocalTime } from '../rules/local-time.rules';
import { emojiKey } from '../rules/reactions.rules';
import { reactionsIn, reactionsSlice } from '../store/reaction.store';
import { requirePlace, requireVisible } from '../store/visible-message.store';

/** Lists the reactions to a message, for members who see it (API 8.9). */
@Injectable()
export class ReactorViews {
  constructor(
    private readonly transactions: Transactions,
    private readonly users: UsersService,
    private readonly time: LocalTime,
  ) {}

  /**
   * Returns a page of the reactions with one emoji or with any, the earliest first. Includes reactions of former
   * members.
   * @throws {BusinessError} MESSAGE_NOT_FOUND (or not visible to the user), NOT_ALLOWED (a notice)
   */
  async list(
    userId: UserId,
    messageId: MessageId,
    { emoji, ...page }: ReactorsQuery,
  ): Promise<ItemsPage<ReactorResponse>> {
    const em = this.transactions.read();
    const { membership, message } = await requireVisible(em, userId, await requirePlace(em, messageId));
    if (message.notice !== null) throw new BusinessError('NOT_ALLOWED');
    const { seq } = message;
    const key = emoji === undefined ? undefined : emojiKey(emoji);
    const tallies = (await reactionsIn(em, membership, { from: seq, to: seq })).get(seq) ?? [];
    const matching = tallies.filter(({ emoji_key }) => key === undefined || emoji_key === key);
    const total = matching.reduce((sum, { count }) => sum + count, 0);
    const slice = { offset: offsetOf(page), limit: page.per_page };
    const reactions = total === 0 ? [] : await reactionsSlice(em, message, key, slice);
    const users = await this.users.findByIds(reactions.map(({ user_id }) => user_id));
    const items = reactions.map(({ user_id, emoji: shown, created_at }) => ({
      user_id,
      name: users.get(user_id)?.name ?? null,
      avatar: users.get(user_id)?.avatar ?? null,
      emoji: shown,
      created_at: this.time.dateTime(created_at),
    }));
    return new ItemsPage(items, total, page);
  }
}
