import { Injectable } from '@nestjs/common';
import type { Asker } from '../../common/auth/principal';
import { BusinessError } from '../../common/errors/business-error';
import { ItemsPage, offsetOf } from '../../common/http/page';
import { Transactions } from '../../database/transactions';
import { VisibleUsers } from '../directory/visible-users';
import type { BlockedPersonResponse, ListBlocksQuery } from '../dto/person.dto';
import { blockedBy, reachableAmong } from './blocks.store';

/** Checks blocks between users (API 9.4). A block has effect in both directions. */
@Injectable()
export class BlocksService {
  constructor(
    private readonly transactions: Transactions,
    private readonly visible: VisibleUsers,
  ) {}

  /** Lists the users whom a user has blocked, newest block first. */
  async list(userId: number, page: ListBlocksQuery): Promise<ItemsPage<BlockedPersonResponse>> {
    const slice = { offset: offsetOf(page), limit: page.per_page };
    const { count, users } = await blockedBy(this.transactions.read(), userId, slice);
    return new ItemsPage(users, count, page);
  }

  /**
   * Requires that the users whom a user adds to a group exist. Users behind a block, and users who are not visible to
   * the user, count as unknown.
   * @throws {BusinessError} VALIDATION `用户不存在: 7, 9` (API 1.4)
   */
  async assertReachable(asker: Asker, ids: number[]): Promise<void> {
    const reachable = await reachableAmong(this.transactions.read(), asker.id, ids);
    const visible = await this.visible.among(asker, ids);
    const unknown = ids.filter((id) => !reachable.has(id) || !visible.has(id));
    if (unknown.length > 0)
      throw new BusinessError('VALIDATION', { message: (catalogue) => catalogue.unknownUsers(unknown) });
  }

  /** Returns whether a user may address this id in a chat or call. Does not check whether the id exists. */
  async mayName(asker: Asker, id: number): Promise<boolean> {
    return (await this.visible.among(asker, [id])).has(id);
  }
}
