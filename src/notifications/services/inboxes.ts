import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { BusinessError } from '../../common/errors/business-error';
import type { NotificationId, UserId } from '../../common/ids';
import { joined } from '../../database/shared/joined';
import { SharedTransactions } from '../../database/shared/shared-transactions';
import { Transactions } from '../../database/transactions';
import { UsersService } from '../../identity/users.service';
import type { DatedMessage } from '../rules/message';
import type { Copy } from '../store/announcement-recalls';
import { writeDeliveries } from '../store/deliveries';
import { ensureInboxes, lockInboxes } from '../store/inbox-rows';
import { type LockedInbox, readLocked, readLockedWith, type Target } from '../store/locked-inbox';
import { findRemovals, removeNotifications } from '../store/removals';
import { NotificationEvents } from '../events/notification-events';

/** The inboxes of all users: opening them, and taking turns in changing them. */
@Injectable()
export class Inboxes {
  readonly #lockRows = joined('inboxes: lock', async (em, lists: readonly number[][]) => {
    const ids = [...new Set(lists.flat())].toSorted((a, b) => a - b);
    if ((await lockInboxes(em, ids)) === ids.length) return;
    await this.#openMissing(em, ids);
    await lockInboxes(em, ids);
  });

  constructor(
    private readonly transactions: Transactions,
    private readonly users: UsersService,
    private readonly events: NotificationEvents,
    private readonly shared: SharedTransactions,
  ) {}

  /**
   * One act on one user's inbox, as if in a transaction of its own. `work` finds the inbox locked and with every broadcast
   * in it; it returns what the act answers.
   */
  async act<T>(userId: UserId, work: (em: EntityManager, inbox: LockedInbox) => Promise<T>): Promise<T> {
    return this.shared.run<T>([keyOf(userId)], async (em) => {
      const inboxes = await this.lock(em, [userId]);
      await this.deliver(em, inboxes);
      return work(em, inboxes[0] as LockedInbox);
    });
  }

  /**
   * One act on one of the user's notifications, as `act`.
   * @throws {BusinessError} NOTIFICATION_NOT_FOUND also for another user's
   */
  async actOn<T>(
    userId: UserId,
    notificationId: NotificationId,
    work: (em: EntityManager, inbox: LockedInbox, target: Target) => Promise<T>,
  ): Promise<T> {
    return this.shared.run<T>([keyOf(userId)], async (em) => {
      await this.#lockRows(em, [userId]);
      const found = await readLockedWith(em, { userId, notificationId });
      if (found === undefined) return new BusinessError('NOTIFICATION_NOT_FOUND');
      await this.deliver(em, [found.inbox]);
      return work(em, found.inbox, found.target);
    });
  }

  /** Lets the inboxes of some users take in the broadcasts that they have missed. */
  async catchUp(userIds: number[]): Promise<void> {
    await this.transactions.run(async (em) => {
      await this.deliver(em, await this.lock(em, userIds));
    });
  }

  /** Takes notifications out of the inboxes of some users, and tells their owners; those that are gone by now stay so. */
  async takeOut(copies: readonly Copy[]): Promise<void> {
    await this.transactions.run(async (em) => {
      const inboxes = await this.lock(
        em,
        copies.map(({ user_id }) => user_id),
      );
      const removals = await findRemovals(
        em,
        inboxes,
        copies.map(({ id }) => id),
      );
      if (removals.length === 0) return;
      await removeNotifications(em, removals);
      for (const { inbox, target } of removals) this.events.deleted(em, inbox, target.id);
    });
  }

  /** Lets those who listen hear of a broadcast at once, when the transaction that sends it has committed. */
  announceBroadcast(em: EntityManager): void {
    this.events.broadcast(em);
  }

  /**
   * Brings locked inboxes up to date, adds `message` to them, and tells their owners. Returns how many got it: those
   * whom its dedupe key had reached before do not.
   */
  async deliver(em: EntityManager, inboxes: LockedInbox[], message?: DatedMessage): Promise<number> {
    const rolesOf = (ids: number[]) => this.users.rolesOf(ids, em);
    const { added, reached } = await writeDeliveries(em, inboxes, rolesOf, message);
    await this.events.created(em, inboxes, added);
    return reached;
  }

  /**
   * Locks the inboxes of some users until the end of the transaction, lower ids first, and opens those that are
   * missing.
   * @throws {BusinessError} VALIDATION `用户不存在: 7, 9`, before anything is written, for ids of nobody
   */
  async lock(em: EntityManager, userIds: number[]): Promise<LockedInbox[]> {
    if (userIds.length === 0) return [];
    await this.#lockRows(em, userIds);
    return readLocked(em, userIds);
  }

  async #openMissing(em: EntityManager, ids: number[]): Promise<void> {
    const users = await this.users.findByIds(ids, em);
    const nobodys = ids.filter((id) => !users.has(id));
    if (nobodys.length > 0) {
      throw new BusinessError('VALIDATION', { message: (words) => words.unknownUsers(nobodys) });
    }
    await ensureInboxes(em, [...users.values()]);
  }
}

const keyOf = (userId: UserId): string => `user ${userId}`;
