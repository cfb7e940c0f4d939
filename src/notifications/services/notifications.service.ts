import { LRUCache } from 'lru-cache';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock';
import type { NotificationId, UserId } from '../../common/ids';
import type { ListPage } from '../../common/http/page';
import { queryBatcher } from '../../common/concurrency/query-batcher';
import { isWriteRefused } from '../../database/errors';
import { Transactions } from '../../database/transactions';
import { notificationById } from '../store/inbox.store';
import type { ListNotificationsQuery } from '../dto/list-query.dto';
import {
  type MarkAllReadResponse,
  type NotificationResponse,
  toNotificationResponse,
  type UnreadNotificationsResponse,
} from '../dto/notification.dto';
import { Inboxes } from './inboxes';
import {
  type InboxSnapshot,
  NOT_OPENED,
  readSnapshots,
  type SnapshotReading,
  unreadIn,
} from '../store/inbox-snapshot.store';
import { readPage } from '../store/inbox-pages.store';
import { NotificationEvents } from '../events/notification-events';
import type { NotificationContent } from '../rules/notification-content.rules';
import { findSnooze } from '../store/snoozes.store';
import type { InboxMap } from '../rules/inbox-map.rules';

/** Memory for maps of inboxes: about 250 of 100,000 notifications, or 15,000 of at most a thousand. */
const MAX_MAP_BYTES = 32 * 1024 * 1024;

/** A read of an inbox: without a lock, and within the transaction that has locked it. */
interface Reads<T> {
  unlocked: () => Promise<SnapshotReading<T>>;
  locked: (em: EntityManager) => Promise<SnapshotReading<T>>;
}

/** The notifications of users (API 10.2). Every change is a transaction on a locked inbox. */
@Injectable()
export class NotificationsService {
  /** Reads snapshots of inboxes, with one statement for all requests of one event-loop turn. */
  readonly #snapshots = queryBatcher(
    (userIds) => readSnapshots(this.transactions.read(), userIds),
    NOT_OPENED,
  );
  /**
   * The maps of the inboxes that were read last, by user. A map is valid only while the inbox has its version, which
   * every read verifies. Only committed state may be cached, because the versions of a rolled-back transaction are
   * assigned again.
   */
  readonly #maps = new LRUCache<number, InboxMap>({
    maxSize: MAX_MAP_BYTES,
    sizeCalculation: ({ bytes }) => bytes,
  });

  constructor(
    private readonly inboxes: Inboxes,
    private readonly events: NotificationEvents,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** Returns a page of the user's notifications, newest first, optionally filtered by `type` and `is_read`. */
  list(userId: UserId, query: ListNotificationsQuery): Promise<ListPage<NotificationResponse>> {
    return this.#read(userId, {
      unlocked: () => readPage({ em: this.transactions.read(), maps: this.#maps }, userId, query),
      locked: (em) => readPage({ em }, userId, query),
    });
  }

  /** Returns the unread counts, and the event cursor that belongs to them. */
  unreadCount(userId: UserId): Promise<{ unread: UnreadNotificationsResponse; cursor: number }> {
    return this.#read(userId, {
      unlocked: async () => toReading(await this.#snapshots.load(userId)),
      locked: async (em) => toReading((await readSnapshots(em, [userId])).get(userId) ?? NOT_OPENED),
    });
  }

  /**
   * Marks a notification read.
   * @throws {BusinessError} NOTIFICATION_NOT_FOUND, also for a notification of another user
   */
  async markRead(userId: UserId, notificationId: NotificationId): Promise<void> {
    await this.inboxes.withNotification(userId, notificationId, async (batch, found) => {
      const { inbox } = found;
      if (!inbox.isUnread(found)) return;
      await batch.change({ ...found, to: 'read' });
      this.events.seen(batch.em, 'notification.read', inbox, notificationId);
    });
  }

  /**
   * Marks a notification unread.
   * @throws {BusinessError} NOTIFICATION_NOT_FOUND, also for a notification of another user
   */
  markUnread(userId: UserId, notificationId: NotificationId): Promise<NotificationResponse> {
    return this.inboxes.withNotification(userId, notificationId, async (batch, found) => {
      const { em } = batch;
      const { inbox } = found;
      const row = await notificationById(em, notificationId);
      const isArchived = inbox.isArchived(found);
      const snoozeUntil = isArchived ? await findSnooze(em, notificationId) : null;
      const notification = toNotificationResponse(row, { isUnread: true, isArchived, snoozeUntil });
      if (inbox.isUnread(found)) return notification;
      await batch.change({ ...found, to: 'unread' });
      this.events.unread(em, inbox, notification);
      return notification;
    });
  }

  /** Marks all notifications read, or all of one type. The cost depends only on the number of types. */
  async markAllRead(userId: UserId, type?: string): Promise<MarkAllReadResponse> {
    if (await this.#isAllRead(userId, type)) return { affected: 0 };
    return this.inboxes.withInbox(userId, async (batch, inbox) => {
      const { affected, types } = inbox.markAllRead(type);
      if (affected === 0) return { affected };
      await batch.storeTypes({ inbox, types });
      this.events.allRead(batch.em, inbox, type);
      return { affected };
    });
  }

  /** Deletes a notification. @throws {BusinessError} NOTIFICATION_NOT_FOUND, also for a notification of another user */
  async remove(userId: UserId, notificationId: NotificationId): Promise<void> {
    await this.inboxes.withNotification(userId, notificationId, async (batch, found) => {
      await batch.remove(found);
      this.events.seen(batch.em, 'notification.deleted', found.inbox, notificationId);
    });
  }

  /**
   * Adds a notification to the inboxes of users, inside the caller's transaction.
   * @returns the number of users who received it; users that its dedupe key has reached before do not
   * @throws {BusinessError} VALIDATION `用户不存在: 7, 9`, before anything is written
   */
  async notify(em: EntityManager, userIds: number[], message: NotificationContent): Promise<number> {
    const inboxes = await this.inboxes.lock(em, userIds);
    return this.inboxes.deliver(em, inboxes, { ...message, createdAt: this.clock.now() });
  }

  /**
   * Whether there is nothing to mark. Checked without a lock, because clients mark all read whenever they open a list.
   */
  async #isAllRead(userId: UserId, type?: string): Promise<boolean> {
    const { types, isCurrent } = await this.#snapshots.load(userId);
    const matching = types.filter((counts) => type === undefined || counts.type === type);
    return isCurrent && matching.every(({ unread, archived_unread }) => unread + archived_unread === 0);
  }

  /** Reads without a lock. If the inbox lacks broadcasts, or changes meanwhile, reads again with a lock. */
  async #read<T>(userId: UserId, { unlocked, locked }: Reads<T>): Promise<T> {
    const { value, isCurrent } = await unlocked();
    if (isCurrent) return value;
    try {
      return await this.inboxes.withInbox(userId, async ({ em }) => (await locked(em)).value);
    } catch (error) {
      if (!isWriteRefused(error)) throw error;
      // While the database refuses writes, the inbox cannot change: read without a lock. Missing broadcasts stay
      // missing.
      return (await unlocked()).value;
    }
  }
}

const toReading = ({ types, cursor, isCurrent }: InboxSnapshot) => ({
  value: { unread: unreadIn(types), cursor },
  isCurrent,
});
