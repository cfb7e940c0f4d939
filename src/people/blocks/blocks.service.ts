import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Asker } from '../../common/auth/principal';
import { BusinessError } from '../../common/errors/business-error';
import { ItemsPage, offsetOf } from '../../common/http/page';
import type { User } from '../../identity/users.service';
import { VisibleUsers } from '../directory/visible-users';
import type { BlockedPersonResponse, ListBlocksQuery } from '../dto/person.dto';
import { blockedBy, callParties, reachableAmong } from './blocks.queries';

/** What blocks keep from happening (contract 16.1). They work both ways. */
@Injectable()
export class BlocksService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly visible: VisibleUsers,
  ) {}

  /** Those whom a user has blocked, the newest first. */
  async list(userId: number, page: ListBlocksQuery): Promise<ItemsPage<BlockedPersonResponse>> {
    const slice = { offset: offsetOf(page), limit: page.per_page };
    const { count, users } = await blockedBy(this.dataSource.manager, userId, slice);
    return new ItemsPage(users, count, page);
  }

  /**
   * Requires that users whom a user brings into a group exist. Those behind a block, and those whom the user may not see,
   * count as unknown.
   * @throws {BusinessError} VALIDATION `用户不存在: 7, 9` (contract 1.3)
   */
  async assertReachable(asker: Asker, ids: number[]): Promise<void> {
    const known = await reachableAmong(this.dataSource.manager, asker.id, ids);
    const visible = await this.visible.among(asker, ids);
    const unknown = ids.filter((id) => !known.has(id) || !visible.has(id));
    if (unknown.length > 0)
      throw new BusinessError('VALIDATION', { message: (words) => words.unknownUsers(unknown) });
  }

  /** Whether a user may chat with, or call, a user with this id, should there be one. */
  async mayName(asker: Asker, id: number): Promise<boolean> {
    return (await this.visible.among(asker, [id])).has(id);
  }

  /** Who is about to call whom, those of the two that exist, and whether either has blocked the other. */
  callParties(
    em: EntityManager,
    callerId: number,
    calleeId: number,
  ): Promise<{ users: Map<number, User>; isBlocked: boolean }> {
    return callParties(em, callerId, calleeId);
  }
}
