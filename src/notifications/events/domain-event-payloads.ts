import type { Audience } from '../rules/audience.rules';

/** A notification that was added to an inbox, or returned there at the end of its snooze. */
export interface AddedToInbox {
  user_id: number;
  notification_id: number;
  /** When it was created, or its snooze ended. */
  created_at: string;
}

declare module '../../outbox/domain-event-types' {
  interface DomainEventPayloads {
    'notification.sent': {
      /** Null if it was sent to one user. */
      announcement_id: number | null;
      audience: Audience;
      notification_type: string;
      /** Number of users that it was sent to. */
      created: number;
      title: string;
      content: string;
    };
    /** Internal. */
    'notification.added': { added: AddedToInbox[] };
    /** Internal: a notification was read, deleted or archived; null: all of the user, or all of one type, were read. */
    'notification.seen': { user_id: number; notification_id: number | null };
  }
}
