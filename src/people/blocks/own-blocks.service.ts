import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Principal } from '../../common/auth/principal';
import { Clock } from '../../common/clock';
import { BusinessError, invalidField } from '../../common/errors/business-error';
import { deleteRows, insertRows } from '../../database/rows';
import { Transactions } from '../../database/transactions';
import { EventsService } from '../../events/events.service';
import { VisibleUsers } from '../directory/visible-users';
import { UserBlockEntity } from '../entities/user-block.entity';
import { PresenceChanges } from '../presence/presence-changes';
import { holdBlocks } from './blocks.queries';

const MOST = 1_000;

/** Blocking, and taking it back (contract 16.1). Nobody but who does it is told. */
@Injectable()
export class OwnBlocksService {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly events: EventsService,
    private readonly visible: VisibleUsers,
    private readonly presence: PresenceChanges,
  ) {}

  /**
   * Blocks a user; one who is blocked already stays so.
   * @throws {BusinessError} VALIDATION (oneself, more than 1,000), USER_NOT_FOUND; TOO_MANY_REQUESTS: blocking strangers
   *   counts as looking them up, because the list of blocks shows their names
   */
  async block(principal: Principal, id: number): Promise<void> {
    const sees = await this.#sees(principal, id);
    await this.transactions.run(async (em) => {
      const { isKnown, isBlocked, count } = await holdBlocks(em, principal.id, id);
      if (isBlocked) return;
      if (!isKnown || !sees) throw new BusinessError('USER_NOT_FOUND');
      if (count >= MOST) throw invalidField('id', (words) => words.tooMany(MOST));
      const block = { user_id: principal.id, blocked_id: id, blocked_at: this.clock.now() };
      await insertRows(em, UserBlockEntity, [block]);
      await this.#changed(em, principal, id, true);
    });
  }

  /**
   * Ends a block, if there is one.
   * @throws {BusinessError} VALIDATION (oneself), USER_NOT_FOUND, TOO_MANY_REQUESTS (as blocking)
   */
  async unblock(principal: Principal, id: number): Promise<void> {
    const sees = await this.#sees(principal, id);
    await this.transactions.run(async (em) => {
      const { isKnown, isBlocked } = await holdBlocks(em, principal.id, id);
      if (!isBlocked) {
        if (!isKnown || !sees) throw new BusinessError('USER_NOT_FOUND');
        return;
      }
      await deleteRows(em, UserBlockEntity, { user_id: principal.id, blocked_id: id });
      await this.#changed(em, principal, id, false);
    });
  }

  #sees(principal: Principal, id: number): Promise<boolean> {
    if (id === principal.id) throw invalidField('id', '取值无效');
    return this.visible.lookUp(principal, id);
  }

  async #changed(
    em: EntityManager,
    { id: userId }: Principal,
    user_id: number,
    blocked: boolean,
  ): Promise<void> {
    this.events.append(em, [{ userId, type: 'user.block_changed', payload: { user_id, blocked } }]);
    await this.presence.mark(em, [userId, user_id]);
  }
}
