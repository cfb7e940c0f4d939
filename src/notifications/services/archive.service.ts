import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock';
import { invalidField } from '../../common/errors/business-error';
import type { NotificationId, UserId } from '../../common/ids';
import { type NotificationResponse, toNotificationResponse } from '../dto/notification.dto';
import { NotificationEvents } from '../events/notification-events';
import { notificationById } from '../store/inbox.store';
import type { LockedInbox, Target } from '../store/locked-inbox.store';
import { deleteSnoozes, findSnooze, storeSnooze } from '../store/snoozes.store';
import { type InboxBatch, Inboxes } from './inboxes';

/** A locked notification. */
interface Found {
  batch: InboxBatch;
  inbox: LockedInbox;
  target: Target;
}

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
    return this.#with(userId, id, async (found) => {
      const { batch, inbox, target } = found;
      const wasArchived = inbox.isArchived(target);
      if (!wasArchived) await batch.change({ inbox, type: target.type, seq: target.seq, to: 'archived' });
      const wasSnoozed = wasArchived && (await deleteSnoozes(batch.em, [id])) > 0;
      return this.#publish(found, null, !wasArchived || wasSnoozed);
    });
  }

  /** Moves a notification back into the inbox, with its read state. */
  restore(userId: UserId, id: NotificationId): Promise<NotificationResponse> {
    return this.#with(userId, id, async (found) => {
      const { batch, inbox, target } = found;
      if (!inbox.isArchived(target)) return this.#publish(found, null, false);
      await batch.change({ inbox, type: target.type, seq: target.seq, to: 'restored' });
      await deleteSnoozes(batch.em, [id]);
      return this.#publish(found, null, true);
    });
  }

  /**
   * Moves a notification into the archive until `until`, when it comes back as unread.
   * @throws {BusinessError} VALIDATION `snooze_until 取值无效` if `until` is not in the future
   */
  snooze(userId: UserId, id: NotificationId, until: Date): Promise<NotificationResponse> {
    if (until <= this.clock.now()) throw invalidField('snooze_until', 'invalid');
    return this.#with(userId, id, async (found) => {
      const { batch, inbox, target } = found;
      const isArchived = inbox.isArchived(target);
      if (!isArchived) await batch.change({ inbox, type: target.type, seq: target.seq, to: 'archived' });
      const stored = isArchived ? await findSnooze(batch.em, id) : null;
      if (stored?.getTime() === until.getTime()) return this.#publish(found, until, false);
      await storeSnooze(batch.em, { notification_id: id, user_id: userId, due_at: until });
      return this.#publish(found, until, true);
    });
  }

  /** Moves a snoozed notification back into the inbox, with its read state. Leaves others where they are. */
  endSnooze(userId: UserId, id: NotificationId): Promise<NotificationResponse> {
    return this.#with(userId, id, async (found) => {
      const { batch, inbox, target } = found;
      const isSnoozed = inbox.isArchived(target) && (await deleteSnoozes(batch.em, [id])) > 0;
      if (isSnoozed) await batch.change({ inbox, type: target.type, seq: target.seq, to: 'restored' });
      return this.#publish(found, null, isSnoozed);
    });
  }

  #with(
    userId: UserId,
    id: NotificationId,
    work: (found: Found) => Promise<NotificationResponse>,
  ): Promise<NotificationResponse> {
    return this.inboxes.withNotification(userId, id, (batch, inbox, target) =>
      work({ batch, inbox, target }),
    );
  }

  async #publish(
    { batch: { em }, inbox, target }: Found,
    snoozeUntil: Date | null,
    isChanged: boolean,
  ): Promise<NotificationResponse> {
    const notification = await readChanged(em, inbox, target, snoozeUntil);
    if (isChanged) this.events.updated(em, inbox, notification);
    return notification;
  }
}

async function readChanged(
  em: EntityManager,
  inbox: LockedInbox,
  target: Target,
  snoozeUntil: Date | null,
): Promise<NotificationResponse> {
  return toNotificationResponse(await notificationById(em, target.id as NotificationId), {
    isUnread: inbox.isUnread(target),
    isArchived: inbox.isArchived(target),
    snoozeUntil,
  });
}
