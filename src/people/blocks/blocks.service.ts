import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Asker, Principal } from '../../common/auth/principal';
import { Clock } from '../../common/clock';
import { BusinessError, invalidField } from '../../common/errors/business-error';
import { ItemsPage, offsetOf } from '../../common/http/page';
import { Transactions } from '../../database/transactions';
import { EventsService } from '../../events/events.service';
import { VisibleUsers } from '../directory/visible-users';
import type { BlockedPersonResponse, ListBlocksQuery } from '../dto/person.dto';
import { PresenceChanges } from '../presence/presence-changes';
import { blockedBy, deleteBlock, hasBlocked, insertBlock, lockBlocks, reachableAmong } from './blocks.store';

const MAX_BLOCKS = 1_000;

/** Blocks between users (API 9.4). A block has effect in both directions; only the user who changes it is notified. */
@Injectable()
export class BlocksService {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly events: EventsService,
    private readonly visible: VisibleUsers,
    private readonly presence: PresenceChanges,
  ) {}

  /** Lists the users whom a user has blocked, newest block first. */
  async list(userId: number, page: ListBlocksQuery): Promise<ItemsPage<BlockedPersonResponse>> {
    const slice = { offset: offsetOf(page), limit: page.per_page };
    const { count, users } = await blockedBy(this.transactions.read(), userId, slice);
    return new ItemsPage(users, count, page);
  }

  /**
   * Blocks a user. Is idempotent.
   * @throws {BusinessError} VALIDATION for the user's own id and for more than 1,000 blocks; USER_NOT_FOUND;
   *   TOO_MANY_REQUESTS: blocking a user who is no contact counts as a look-up, because the list of blocks shows names
   */
  async block(principal: Principal, id: number): Promise<void> {
    const canSee = await this.#canSee(principal, id);
    await this.transactions.run(async (em) => {
      const { isKnown, isBlocked, count } = await lockBlocks(em, principal.id, id);
      if (isBlocked) return;
      if (!isKnown || !canSee) throw new BusinessError('USER_NOT_FOUND');
      if (count >= MAX_BLOCKS) throw invalidField('id', (catalogue) => catalogue.tooMany(MAX_BLOCKS));
      await insertBlock(em, { user_id: principal.id, blocked_id: id, blocked_at: this.clock.now() });
      await this.#publishChange(em, principal, id, true);
    });
  }

  /**
   * Removes a block. Is idempotent.
   * @throws {BusinessError} VALIDATION for the user's own id; USER_NOT_FOUND; TOO_MANY_REQUESTS as for `block`, unless the user is blocked
   */
  async unblock(principal: Principal, id: number): Promise<void> {
    const canSee = await this.#canSee(principal, id);
    await this.transactions.run(async (em) => {
      const { isKnown, isBlocked } = await lockBlocks(em, principal.id, id);
      if (!isBlocked) {
        if (!isKnown || !canSee) throw new BusinessError('USER_NOT_FOUND');
        return;
      }
      await deleteBlock(em, principal.id, id);
      await this.#publishChange(em, principal, id, false);
    });
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

  /** A user on the list of blocks is visible there, so that no look-up is counted. */
  async #canSee(principal: Principal, id: number): Promise<boolean> {
    if (id === principal.id) throw invalidField('id', 'invalid');
    return (
      (await hasBlocked(this.transactions.read(), principal.id, id)) || this.visible.lookUp(principal, id)
    );
  }

  async #publishChange(
    em: EntityManager,
    { id: userId }: Principal,
    user_id: number,
    blocked: boolean,
  ): Promise<void> {
    this.events.append(em, [{ userId, type: 'user.block_changed', payload: { user_id, blocked } }]);
    await this.presence.mark(em, [userId, user_id]);
  }
}
