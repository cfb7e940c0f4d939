import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Clock } from '../common/clock';
import { BusinessError } from '../common/errors/business-error';
import type { ListPage } from '../common/http/page';
import { batch } from '../database/batch';
import { updateRows } from '../database/statements';
import { changeCounts, dropEmptyCounts, FIRST_EPOCH, markTypesRead, READ } from './counts';
import type { ListQuery } from './dto/list-query.dto';
import {
  type MarkAllResult,
  type NotificationResponse,
  type NotificationRow,
  toNotificationResponse,
  type UnreadCount,
} from './dto/notification.dto';
import { NotificationEntity } from './entities/notification.entity';
import { Inboxes } from './inboxes';
import { ROOT_LEVEL } from './count-tree';
import { readUnreadCounts, type Reading } from './inbox-overview';
import { readPage } from './inbox-pages';
import { NotificationEvents } from './notification-events';
import type { Message } from './message';

const NONE_UNREAD: UnreadCount = { count: 0, by_type: {} };
const NOT_OPENED: Reading<UnreadCount> = { value: NONE_UNREAD, isCurrent: false };

/** The notifications of each user (contract 5). Every act is one transaction on a locked inbox. */
@Injectable()
export class NotificationsService {
  readonly #unreadCounts = batch((userIds) => readUnreadCounts(this.dataSource.manager, userIds), NOT_OPENED);

  constructor(
    private readonly inboxes: Inboxes,
    private readonly events: NotificationEvents,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** A page of the user's notifications, newest first; `type` and `is_read` narrow the list. */
  list(userId: number, query: ListQuery): Promise<ListPage<NotificationResponse>> {
    return this.#read(userId, (em) => readPage(em, userId, query));
  }

  async unreadCount(userId: number): Promise<UnreadCount> {
    const { value, isCurrent } = await this.#unreadCounts.load(userId);
    if (isCurrent) return value;
    return this.inboxes.act(
      userId,
      async (em) => (await readUnreadCounts(em, [userId])).get(userId)?.value ?? NONE_UNREAD,
    );
  }

  /** @throws {BusinessError} NOTIFICATION_NOT_FOUND also for another user's */
  async markRead(userId: number, id: number): Promise<void> {
    await this.inboxes.act(userId, async (em) => {
      const found = await find(em, userId, id);
      if (!isUnread(found)) return;
      await setUnread(em, found, false);
      await this.events.read(em, userId, id);
    });
  }

  /** The notification, unread again. @throws {BusinessError} NOTIFICATION_NOT_FOUND also for another user's */
  markUnread(userId: number, id: number): Promise<NotificationResponse> {
    return this.inboxes.act(userId, async (em) => {
      const found = await find(em, userId, id);
      const notification = toNotificationResponse({ ...found, unread_epoch: found.epoch }, found.epoch);
      if (isUnread(found)) return notification;
      await setUnread(em, found, true);
      await this.events.unread(em, userId, notification);
      return notification;
    });
  }

  /** Marks everything read, or everything of one type; its cost is the number of types. */
  async markAllRead(userId: number, type?: string): Promise<MarkAllResult> {
    if (await this.#isAllRead(userId, type)) return { affected: 0 };
    return this.inboxes.act(userId, async (em) => {
      const affected = await markTypesRead(em, userId, type);
      if (affected > 0) await this.events.allRead(em, userId, type);
      return { affected };
    });
  }

  /** Deletes a notification for good. @throws {BusinessError} NOTIFICATION_NOT_FOUND also for another user's */
  async remove(userId: number, id: number): Promise<void> {
    await this.inboxes.act(userId, async (em) => {
      const found = await find(em, userId, id);
      await em.delete(NotificationEntity, { id });
      await changeCounts(em, [{ ...found, total: -1, unread: isUnread(found) ? -1 : 0 }]);
      await dropEmptyCounts(em, userId, found.seq);
      await this.events.deleted(em, userId, id);
    });
  }

  /**
   * Puts a notification into the inboxes of some users, inside the caller's transaction. Returns how many got it:
   * those whom its dedupe key had reached before do not.
   * @throws {BusinessError} VALIDATION `用户不存在: 7, 9`, before anything is written
   */
  async notify(em: EntityManager, userIds: number[], message: Message): Promise<number> {
    const inboxes = await this.inboxes.lock(em, userIds);
    return this.inboxes.deliver(em, inboxes, { ...message, createdAt: this.clock.now() });
  }

  /** Whether there is nothing to mark, which needs no lock to find out: clients mark whenever a list is opened. */
  async #isAllRead(userId: number, type?: string): Promise<boolean> {
    const { value, isCurrent } = await this.#unreadCounts.load(userId);
    return isCurrent && (type === undefined ? value.count : (value.by_type[type] ?? 0)) === 0;
  }

  /** Reads without a lock; should the inbox be behind its broadcasts, or change meanwhile, again with one. */
  async #read<T>(userId: number, read: (em: EntityManager) => Promise<Reading<T>>): Promise<T> {
    const { value, isCurrent } = await read(this.dataSource.manager);
    if (isCurrent) return value;
    return this.inboxes.act(userId, async (em) => (await read(em)).value);
  }
}

/** A notification in its inbox, with the epoch that holds for its type. */
type Found = NotificationRow & { seq: number; user_id: number; epoch: number };

async function find(em: EntityManager, userId: number, id: number): Promise<Found> {
  const [found] = (await em.query(
    `SELECT n.*, COALESCE(root.epoch, ${FIRST_EPOCH}) AS epoch FROM notifications n
     LEFT JOIN notification_counts root
       ON root.user_id = n.user_id AND root.level = ${ROOT_LEVEL} AND root.block = 0 AND root.type = n.type
     WHERE n.id = ? AND n.user_id = ?`,
    [id, userId],
  )) as Found[];
  if (found === undefined) throw new BusinessError('NOTIFICATION_NOT_FOUND');
  return found;
}

const isUnread = ({ unread_epoch, epoch }: Found): boolean => unread_epoch === epoch;

async function setUnread(em: EntityManager, found: Found, unread: boolean): Promise<void> {
  const unread_epoch = unread ? found.epoch : READ;
  await updateRows(em, NotificationEntity, { id: found.id }, { unread_epoch });
  await changeCounts(em, [{ ...found, total: 0, unread: unread ? 1 : -1 }]);
}
