import type { NotificationResponse } from '../dto/notification.dto';
import type { Unread } from '../store/locked-inbox';

interface NotificationAppeared extends Unread {
  notification: NotificationResponse;
}

/** The number of the notification, twice: in an item of the poll, `id` is the cursor. */
interface NotificationGone extends Unread {
  id: number;
  notification_id: number;
}

interface AllRead extends Unread {
  /** Null when all types were meant; `type` is the event's own. */
  notification_type: string | null;
}

declare module '../../events/log/event-types' {
  interface EventPayloads {
    'notification.created': NotificationAppeared;
    'notification.unread': NotificationAppeared;
    'notification.read': NotificationGone;
    'notification.deleted': NotificationGone;
    'notification.all_read': AllRead;
  }
}
