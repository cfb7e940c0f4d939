import type { Audience } from '../rules/audience.rules';

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
  }
}
