import type { NotificationResponse } from '../dto/notification.dto';
import type { Unread } from '../store/locked-inbox.store';

interface NotificationAdded extends Unread {
  notification: NotificationResponse;
}

/** Contains the id of the notification twice, because in a polled event `id` is the cursor. */
interface NotificationRemoved extends Unread {
  id: number;
  notification_id: number;
}

interface AllRead extends Unread {
  /** Null: all types. Not named `type`, which is the type of the event. */
  notification_type: string | null;
}

declare module '../../events/log/event-types' {
  interface EventPayloads {
    'notification.created': NotificationAdded;
    'notification.unread': NotificationAdded;
    'notification.updated': NotificationAdded;
    'notification.read': NotificationRemoved;
    'notification.deleted': NotificationRemoved;
    'notification.all_read': AllRead;
  }
}
