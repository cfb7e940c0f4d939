import { Injectable } from '@nestjs/common';
import type { MessageId, UserId } from '../../common/ids';
import { BusinessError } from '../../common/errors/business-error';
import { offsetOf } from '../../common/http/page';
import { Transactions } from '../../database/transactions';
import { UsersService } from '../../identity/users.service';
import { ReadersPageResponse } from '../dto/message.dto';
import type { ReadersQuery } from '../dto/message-requests.dto';
import { LocalTime } from '../rules/local-time.rules';
import { requirePlace, requireVisible } from '../store/visible-message.store';
import type { MessageRow } from '../store/message.store';
import { readersAudience, readersSlice } from '../store/readers.store';

/** Lists the members who have read a message, for its sender (API 8.8). */
@Injectable()
export class ReaderViews {
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
  async list(userId: UserId, messageId: MessageId, page: ReadersQuery): Promise<ReadersPageResponse> {
    const em = this.transactions.read();
    const message = await this.#requireOwnMessage(userId, messageId);
    const counts = await readersAudience(em, message);
    const readers = await readersSlice(em, message, { offset: offsetOf(page), limit: page.per_page });
    const users = await this.users.findByIds(readers.map(({ user_id }) => user_id));
    const items = readers.map(({ user_id, read_at }) => ({
      user_id,
      name: users.get(user_id)?.name ?? null,
      avatar: users.get(user_id)?.avatar ?? null,
      read_at: this.time.dateTime(read_at),
    }));
    return new ReadersPageResponse(items, page, counts);
  }

  async #requireOwnMessage(userId: UserId, messageId: MessageId): Promise<MessageRow> {
    const em = this.transactions.read();
    const { message } = await requireVisible(em, userId, await requirePlace(em, messageId));
    if (message.notice !== null) throw new BusinessError('NOT_ALLOWED');
    if (message.sender_id !== userId) throw new BusinessError('MESSAGE_NOT_FOUND');
    return message;
  }
}
