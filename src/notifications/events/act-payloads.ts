import type { Audience } from '../rules/audience';

declare module '../../outbox/act-types' {
  interface ActPayloads {
    'notification.sent': {
      /** Null of what is sent to one user. */
      announcement_id: number | null;
      audience: Audience;
      notification_type: string;
      /** How many users it is for. */
      created: number;
      title: string;
      content: string;
    };
  }
}
