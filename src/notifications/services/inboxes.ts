import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { BusinessError } from '../../common/errors/business-error';
import type { NotificationId, UserId } from '../../common/ids';
import { CONFIG, type Config } from '../../config/config';
import { batchedStep } from '../../database/batching/batched-step';
import { BatchedTransactions } from '../../database/batching/batched-transactions';
import { pipeline } from '../../database/transaction-statements';
import { Transactions } from '../../database/transactions';
import { UsersService } from '../../identity/users.service';
import type { TypeCounts } from '../rules/inbox-map.rules';
import type { DatedMessage } from '../rules/notification-content.rules';
import type { NotificationRef } from '../store/announcement-recalls.store';
import { writeDeliveries } from '../store/deliveries.store';
import { changePositions, type InboxChange, storeTypes } from '../store/inbox-changes.store';
import { ensureInboxes } from '../store/inbox.store';
import {
  type LockedInbox,
  type LockedNotification,
  lockInboxes,
  readLocked,
  readLockedWith,
  type TargetKey,
} from '../store/locked-inbox.store';
import { findRemovals, removeNotifications } from '../store/removals.store';
import { NotificationEvents } from '../events/notification-events';

/**
 * Locks the inboxes of users, and opens missing ones.
 * @param read reads the locked inboxes; may be called twice
 */
type LockInboxes = <T>(userIds: readonly UserId[], read: () => Promise<T>) => Promise<T>;

/**
 * The steps of one batched transaction on inboxes. Callbacks that reach a step in the same turn of the event loop share
 * its statements. After a statement sent through `em`, callbacks continue in different turns and share no further
 * statement.
 */
export class InboxBatch {
  constructor(
    readonly em: EntityManager,
    private readonly lockInboxes: LockInboxes,
  ) {}

  /** Locks the user's inbox until the commit, and returns it. */
  readonly lock = batchedStep(async (userIds: readonly UserId[]) => {
    const inboxes = await this.lockInboxes(userIds, () => readLocked(this.em, userIds));
    const byUser = new Map(inboxes.map((inbox) => [inbox.user_id, inbox]));
    return userIds.map((userId) => byUser.get(userId) as LockedInbox);
  });

  /** Locks the user's inbox, and returns it with a notification; undefined if the user has no such notification. */
  readonly lockWith = batchedStep((keys: readonly TargetKey[]) =>
    this.lockInboxes(
      keys.map(({ userId }) => userId),
      () => readLockedWith(this.em, keys),
    ),
  );

  /** Changes a notification in the locked inbox and in the database. */
  readonly change = batchedStep((changes: readonly InboxChange[]) => changePositions(this.em, changes));

  /** Sends counts of types of a locked inbox to the database, without waiting for the result. */
  readonly storeTypes = batchedStep(
    async (changes: readonly { inbox: LockedInbox; types: TypeCounts[] }[]) => {
      const rows = changes.flatMap(({ inbox: { user_id }, types }) =>
        types.map((counts) => ({ user_id, ...counts })),
      );
      pipeline(this.em, storeTypes(this.em, rows));
    },
  );

  /** Deletes a notification. */
  readonly remove = batchedStep((removals: readonly LockedNotification[]) =>
    removeNotifications(this.em, removals),
  );
}

/** Opens, locks and changes the inboxes of users. */
@Injectable()
export class Inboxes {
  readonly #batches: BatchedTransactions<InboxBatch>;

  constructor(
    private readonly transactions: Transactions,
    private readonly users: UsersService,
    private readonly events: NotificationEvents,
    @Inject(CONFIG) { requestTimeoutSeconds }: Config,
  ) {
    this.#batches = new BatchedTransactions(
      transactions,
      requestTimeoutSeconds * 1000,
      (em) => new InboxBatch(em, (userIds, read) => this.#lockAndRead(em, userIds, read)),
    );
  }

  /**
   * Runs `work` on a user's inbox, in a batched transaction. The inbox is locked and has materialised every broadcast.
   * @returns the result of `work`
   */
  async withInbox<T>(
    userId: UserId,
    work: (batch: InboxBatch, inbox: LockedInbox) => Promise<T>,
  ): Promise<T> {
    return this.#batches.run<T>([keyOf(userId)], async (batch) => {
      const inbox = await batch.lock(userId);
      if (inbox.isBehind) await this.deliver(batch.em, [inbox]);
      return work(batch, inbox);
    });
  }

  /**
   * Runs `work` on one of the user's notifications, under the same conditions as `withInbox`.
   * @throws {BusinessError} NOTIFICATION_NOT_FOUND, also for a notification of another user
   */
  async withNotification<T>(
    userId: UserId,
    notificationId: NotificationId,
    work: (batch: InboxBatch, found: LockedNotification) => Promise<T>,
  ): Promise<T> {
    return this.#batches.run<T>([keyOf(userId)], async (batch) => {
      const found = await batch.lockWith({ userId, notificationId });
      if (found === undefined) return new BusinessError('NOTIFICATION_NOT_FOUND');
      if (found.inbox.isBehind) await this.deliver(batch.em, [found.inbox]);
      return work(batch, found);
    });
  }

  /** Materialises the broadcasts that the inboxes of these users lack. */
  async materialiseBroadcasts(userIds: number[]): Promise<void> {
    await this.transactions.run(async (em) => {
      await this.deliver(em, await this.lock(em, userIds));
    });
  }

  /** Removes notifications from inboxes and appends the events. Notifications that are deleted already are skipped. */
  async removeRecalled(copies: readonly NotificationRef[]): Promise<void> {
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
      for (const { inbox, id } of removals) this.events.seen(em, 'notification.deleted', inbox, id);
    });
  }

  /**
   * Materialises broadcasts in locked inboxes, adds `message` to them, and appends the events.
   * @returns the number of inboxes that received `message`; users that its dedupe key has reached before do not
   */
  async deliver(em: EntityManager, inboxes: LockedInbox[], message?: DatedMessage): Promise<number> {
    const rolesOf = (ids: number[]) => this.users.rolesOf(ids, em);
    const { added, reached } = await writeDeliveries(em, inboxes, rolesOf, message);
    await this.events.created(em, inboxes, added);
    return reached;
  }

  /**
   * Locks the inboxes of users until the end of the transaction, lower user ids first, and opens missing ones.
   * @throws {BusinessError} VALIDATION `用户不存在: 7, 9` for unknown users, before anything is written
   */
  async lock(em: EntityManager, userIds: number[]): Promise<LockedInbox[]> {
    if (userIds.length === 0) return [];
    return this.#lockAndRead(em, userIds, () => readLocked(em, userIds));
  }

  /**
   * Sends `read` without waiting for the response to the lock. The transaction has one connection, so `read` runs after
   * the lock was acquired.
   */
  async #lockAndRead<T>(em: EntityManager, userIds: readonly number[], read: () => Promise<T>): Promise<T> {
    const ids = [...new Set(userIds)].toSorted((a, b) => a - b);
    const [locked, found] = await Promise.all([lockInboxes(em, ids), read()]);
    if (locked === ids.length) return found;
    await this.#openMissing(em, ids);
    await lockInboxes(em, ids);
    return read();
  }

  async #openMissing(em: EntityManager, ids: number[]): Promise<void> {
    const users = await this.users.findByIds(ids, em);
    const unknownIds = ids.filter((id) => !users.has(id));
    if (unknownIds.length > 0) {
      throw new BusinessError('VALIDATION', { message: (catalogue) => catalogue.unknownUsers(unknownIds) });
    }
    await ensureInboxes(em, [...users.values()]);
  }
}

const keyOf = (userId: UserId): string => `user ${userId}`;
