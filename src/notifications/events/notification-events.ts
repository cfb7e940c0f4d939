import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { EventsService } from '../../events/events.service';
import { inChunks } from '../../common/concurrency/chunks';
import { DomainEvents } from '../../outbox/domain-events';
import { type AddedNotification, idsByPosition, positionOf } from '../store/deliveries.store';
import { type NotificationResponse, toNotificationResponse } from '../dto/notification.dto';
import type { AddedToInbox } from './domain-event-payloads';
import type { LockedInbox } from '../store/locked-inbox.store';

/**
 * Appends the user events about inboxes, in the transactions that change them (API 13), and records the internal domain
 * events from which pushes follow.
 */
@Injectable()
export class NotificationEvents {
  constructor(
    private readonly events: EventsService,
    private readonly domainEvents: DomainEvents,
  ) {}

  /** Appends `notification.created` for each added notification. */
  async created(em: EntityManager, inboxes: LockedInbox[], added: AddedNotification[]): Promise<void> {
    const unread = new Map(inboxes.map((inbox) => [inbox.user_id, inbox.unread]));
    for (const chunk of inChunks(added)) {
      const ids = await idsByPosition(em, chunk);
      const rows = chunk.map((row) => ({ ...row, id: ids.get(positionOf(row)) ?? 0 }));
      this.#recordAdded(
        em,
        rows.map(({ user_id, id, created_at }) => ({
          user_id,
          notification_id: id,
          created_at: created_at.toISOString(),
        })),
      );
      this.events.append(
        em,
        rows.map((row) => {
          const notification = toNotificationResponse(row, { isUnread: true });
          const { unread_count = 0, by_type = {} } = unread.get(row.user_id) ?? {};
          const payload = { notification, unread_count, by_type };
          return { userId: row.user_id, type: 'notification.created', payload };
        }),
      );
    }
  }

  /** Appends `notification.read` or `notification.deleted`, and records the domain event `notification.seen`. */
  seen(
    em: EntityManager,
    type: 'notification.read' | 'notification.deleted',
    { user_id: userId, unread }: LockedInbox,
    id: number,
  ): void {
    this.events.append(em, [{ userId, type, payload: { id, notification_id: id, ...unread } }]);
    this.#recordSeen(em, userId, id);
  }

  unread(
    em: EntityManager,
    { user_id: userId, unread }: LockedInbox,
    notification: NotificationResponse,
  ): void {
    const payload = { notification, ...unread };
    this.events.append(em, [{ userId, type: 'notification.unread', payload }]);
  }

  /** Appends `notification.updated`: archived, snoozed, or moved back into the inbox by the user. */
  updated(
    em: EntityManager,
    { user_id: userId, unread }: LockedInbox,
    notification: NotificationResponse,
  ): void {
    const payload = { notification, ...unread };
    this.events.append(em, [{ userId, type: 'notification.updated', payload }]);
    if (notification.archived === 1) this.#recordSeen(em, userId, notification.id);
  }

  /** Appends `notification.updated` for a notification whose snooze has ended, and pushes it as one that arrives now. */
  returned(em: EntityManager, inbox: LockedInbox, notification: NotificationResponse, now: Date): void {
    this.updated(em, inbox, notification);
    const { id: notification_id } = notification;
    this.#recordAdded(em, [{ user_id: inbox.user_id, notification_id, created_at: now.toISOString() }]);
  }

  /** @param notificationType the type that was marked read; undefined: all types */
  allRead(
    em: EntityManager,
    { user_id: userId, unread }: LockedInbox,
    notificationType: string | undefined,
  ): void {
    const payload = { notification_type: notificationType ?? null, ...unread };
    this.events.append(em, [{ userId, type: 'notification.all_read', payload }]);
    this.#recordSeen(em, userId, null);
  }

  #recordAdded(em: EntityManager, added: AddedToInbox[]): void {
    this.domainEvents.record(em, 'notification.added', 'notifications', () => ({ added }));
  }

  #recordSeen(em: EntityManager, user_id: number, notification_id: number | null): void {
    this.domainEvents.record(em, 'notification.seen', 'notifications', () => ({ user_id, notification_id }));
  }
}
