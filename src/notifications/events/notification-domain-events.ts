import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainEvents } from '../../outbox/domain-events';

/** A notification that was added to an inbox, or returned there at the end of its snooze. */
export interface AddedToInbox {
  user_id: number;
  notification_id: number;
  /** When it was created, or its snooze ended. */
  created_at: string;
}

declare module '../../outbox/domain-event-types' {
  interface DomainEventPayloads {
    /** Internal. */
    'notification.added': { added: AddedToInbox[] };
    /** Internal: a notification was read, deleted or archived; null: all of the user, or all of one type, were read. */
    'notification.seen': { user_id: number; notification_id: number | null };
  }
}

/** Records the internal domain events of inboxes, from which pushes follow. */
@Injectable()
export class NotificationDomainEvents {
  constructor(private readonly domainEvents: DomainEvents) {}

  added(em: EntityManager, added: readonly AddedToInbox[]): void {
    if (added.length > 0)
      this.domainEvents.record(em, 'notification.added', 'notifications', () => ({ added: [...added] }));
  }

  /** @param notificationId null: all notifications of the user, or all of one type */
  seen(em: EntityManager, user_id: number, notificationId: number | null): void {
    const payload = { user_id, notification_id: notificationId };
    this.domainEvents.record(em, 'notification.seen', 'notifications', () => payload);
  }
}
