/** Who is meant by what an administrator sends. */
export type Audience = 'all' | 'users';

declare module '../../outbox/act-types' {
  interface ActPayloads {
    'notification.sent': {
      /** The broadcast's; null of what is sent to some. */
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
