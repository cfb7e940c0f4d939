import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock';
import { invalidField } from '../../common/errors/business-error';
import type { NotificationId, UserId } from '../../common/ids';
import { type NotificationResponse, toNotificationResponse } from '../dto/notification.dto';
import { NotificationEvents } from '../events/notification-events';
import { notificationById } from '../store/inbox.store';
import type { LockedNotification } from '../store/locked-inbox.store';
import { deleteSnoozes, findSnooze, storeSnooze } from '../store/snoozes.store';
import { Inboxes } from './inboxes';

/**
 * Archives and snoozes notifications (API 10.2). A snoozed notification is archived until a job returns it. Each method
 * is idempotent, returns the notification, and throws NOTIFICATION_NOT_FOUND, also for a notification of another user.
 */
@Injectable()
export class ArchiveService {
  constructor(
    private readonly inboxes: Inboxes,
    private readonly events: NotificationEvents,
    private readonly clock: Clock,
  ) {}

  /** Moves a notification into the archive; a snoozed one stays there. */
  archive(userId: UserId, id: NotificationId): Promise<NotificationResponse> {
    return this.inboxes.withNotification(userId, id, async ({ em, change }, found) => {
      const wasArchived = found.inbox.isArchived(found);
      if (!wasArchived) await change({ ...found, to: 'archived' });
      const wasSnoozed = wasArchived && (await deleteSnoozes(em, [id])) > 0;
      return this.#publish(em, found, { isChanged: !wasArchived || wasSnoozed });
    });
  }

  /** Moves a notification back into the inbox, with its read state. */
  restore(userId: UserId, id: NotificationId): Promise<NotificationResponse> {
    return this.inboxes.withNotification(userId, id, async ({ em, change }, found) => {
      const isChanged = found.inbox.isArchived(found);
      if (isChanged) {
        await change({ ...found, to: 'restored' });
        await deleteSnoozes(em, [id]);
      }
      return this.#publish(em, found, { isChanged });
    });
  }

  /**
   * Moves a notification into the archive until `until`, when it comes back as unread.
   * @throws {BusinessError} VALIDATION `snooze_until 取值无效` if `until` is not in the future
   */
  snooze(userId: UserId, id: NotificationId, until: Date): Promise<NotificationResponse> {
    if (until <= this.clock.now()) throw invalidField('snooze_until', 'invalid');
    return this.inboxes.withNotification(userId, id, async ({ em, change }, found) => {
      const isArchived = found.inbox.isArchived(found);
      if (!isArchived) await change({ ...found, to: 'archived' });
      const stored = isArchived ? await findSnooze(em, id) : null;
      const isChanged = stored?.getTime() !== until.getTime();
      if (isChanged) await storeSnooze(em, { notification_id: id, user_id: userId, due_at: until });
      return this.#publish(em, found, { isChanged, snoozeUntil: until });
    });
  }

  /** Moves a snoozed notification back into the inbox, with its read state. Leaves others where they are. */
  endSnooze(userId: UserId, id: NotificationId): Promise<NotificationResponse> {
    return this.inboxes.withNotification(userId, id, async ({ em, change }, found) => {
      const isChanged = found.inbox.isArchived(found) && (await deleteSnoozes(em, [id])) > 0;
      if (isChanged) await change({ ...found, to: 'restored' });
      return this.#publish(em, found, { isChanged });
    });
  }

  async #publish(
    em: EntityManager,
    found: LockedNotification,
    { isChanged, snoozeUntil = null }: { isChanged: boolean; snoozeUntil?: Date | null },
  ): Promise<NotificationResponse> {
    const { inbox } = found;
    const notification = toNotificationResponse(await notificationById(em, found.id as NotificationId), {
      isUnread: inbox.isUnread(found),
      isArchived: inbox.isArchived(found),
      snoozeUntil,
    });
    if (isChanged) this.events.updated(em, inbox, notification);
    return notification;
  }
}
