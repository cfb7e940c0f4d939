import { CountsField, TimestampField, ZeroOrOne } from '../../openapi/response-fields';
import { type RawTimestamp, toDate } from '../../database/sql/dialect';
import { dataOf, type NotificationData } from '../rules/notification-content.rules';

/** A notification as its owner sees it (API 10.1). */
export class NotificationResponse {
  id!: number;
  /**
   * Type: `call_missed` is set by the service, all others by the sender.
   * @example "call_missed"
   */
  type!: string;
  title!: string;
  /** Text of the notification, at most 2,000 characters. */
  content!: string;
  /** 0 unread, 1 read. */
  @ZeroOrOne()
  is_read!: number;
  /** 1: archived, or snoozed until `snooze_until`; 0: in the inbox. */
  @ZeroOrOne()
  archived!: number;
  /** Time at which it comes back into the inbox, unread; null if it is not snoozed. */
  @TimestampField()
  snooze_until!: string | null;
  @TimestampField()
  created_at!: string;
  /**
   * Machine-readable data, as it was sent; for a missed call its `call_id`, `peer_id` and `media_type`. If none was
   * sent: `announcement_id` for an announcement, otherwise null. `actions` are links to show with it.
   * @example {"call_id": 1, "peer_id": 2, "media_type": "video"}
   */
  data!: NotificationData | null;
}

/** The columns of a response, as the driver returns them. */
export interface NotificationRow {
  id: number;
  type: string;
  title: string;
  content: string;
  created_at: Date | string;
  data: string | null;
  announcement_id: number | null;
}

/** The state of a notification that its row does not have. */
export interface NotificationState {
  isUnread: boolean;
  /** Default: false. */
  isArchived?: boolean;
  snoozeUntil?: RawTimestamp | null;
}

export function toNotificationResponse(
  row: NotificationRow,
  { isUnread, isArchived = false, snoozeUntil = null }: NotificationState,
): NotificationResponse {
  const { id, type, title, content, announcement_id } = row;
  const archived = isArchived ? 1 : 0;
  const snooze_until = snoozeUntil === null ? null : toDate(snoozeUntil).toISOString();
  const is_read = isUnread ? 0 : 1;
  const created_at = toDate(row.created_at).toISOString();
  const data = dataOf(row.data) ?? (announcement_id === null ? null : { announcement_id });
  return { id, type, title, content, is_read, archived, snooze_until, created_at, data };
}

export class UnreadNotificationsResponse {
  /** Number of unread notifications of all types. */
  count!: number;

  /** Number of unread notifications by type; only types that have any. */
  @CountsField()
  by_type!: Record<string, number>;
}

export class MarkAllReadResponse {
  /** Number of notifications that became read. */
  affected!: number;
}

export class SendNotificationResponse {
  /**
   * Number of users that it reached; for a broadcast, the number of existing users, or of those with the role.
   * @example 2
   */
  created!: number;
  /**
   * Id for reading and recalling the announcement; null if it was sent to one user.
   * @example 3
   */
  announcement_id!: number | null;
}
