import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { BusinessError } from '../../common/errors/business-error';
import { ItemsPage, offsetOf } from '../../common/http/page';
import type { User } from '../../identity/users.service';
import type { BlockedPersonResponse, ListBlocksQuery } from '../dto/person.dto';
import { blockedBy, callParties, reachableAmong } from './blocks.queries';

/** What blocks keep from happening (contract 16.1). They work both ways. */
@Injectable()
export class BlocksService {
  constructor(private readonly dataSource: DataSource) {}

  /** Those whom a user has blocked, the newest first. */
  async list(userId: number, page: ListBlocksQuery): Promise<ItemsPage<BlockedPersonResponse>> {
    const slice = { offset: offsetOf(page), limit: page.per_page };
    const { count, users } = await blockedBy(this.dataSource.manager, userId, slice);
    return new ItemsPage(users, count, page);
  }

  /**
   * Whom somebody brings into a group must exist; those behind a block count as if they did not.
   * @throws {BusinessError} VALIDATION `用户不存在: 7, 9` (contract 1.3)
   */
  async assertReachable(userId: number, ids: number[]): Promise<void> {
    const known = await reachableAmong(this.dataSource.manager, userId, ids);
    const unknown = ids.filter((id) => !known.has(id));
    if (unknown.length > 0)
      throw new BusinessError('VALIDATION', { message: (words) => words.unknownUsers(unknown) });
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
