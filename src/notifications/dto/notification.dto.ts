import { AnyObject, Counts, Moment, ZeroOrOne } from '../../openapi/response-fields';
import { toDate } from '../../database/dialect';
import { dataOf, type NotificationData } from '../rules/message';

/** A notification as its owner sees it (specification 2.5). */
export class NotificationResponse {
  id!: number;
  /**
   * Which kind it is: `call_missed` is the service's own, all others their sender's.
   * @example "call_missed"
   */
  type!: string;
  title!: string;
  /** What it says, at most 2,000 characters. */
  content!: string;
  /** 0 unread, 1 read. */
  @ZeroOrOne()
  is_read!: number;
  @Moment()
  created_at!: string;
  /**
   * What it is about, for programs, as it was sent: a missed call's `call_id`, `peer_id` and `media_type`. Where nothing
   * was, that of an announcement has its `announcement_id`, any other is null.
   * @example {"call_id": 1, "peer_id": 2, "media_type": "video"}
   */
  @AnyObject()
  data!: NotificationData | null;
}

/** The columns that an answer is made of, as they come from the driver. */
export interface NotificationRow {
  id: number;
  type: string;
  title: string;
  content: string;
  unread_epoch: number;
  created_at: Date | string;
  data: string | null;
  announcement_id: number | null;
}

/** `epoch` is the one of the notification's type that holds: unread is what was last unread in it. */
export function toNotificationResponse(
  row: NotificationRow,
  epoch: number | undefined,
): NotificationResponse {
  const { id, type, title, content, announcement_id } = row;
  const is_read = row.unread_epoch === epoch ? 0 : 1;
  const created_at = toDate(row.created_at).toISOString();
  const data = dataOf(row.data) ?? (announcement_id === null ? null : { announcement_id });
  return { id, type, title, content, is_read, created_at, data };
}

export class UnreadNotificationsResponse {
  /** How many are unread, over all types. */
  count!: number;

  /** Unread notifications by type; only types that have any. */
  @Counts()
  by_type!: Record<string, number>;
}

export class MarkAllReadResponse {
  /** How many notifications became read. */
  affected!: number;
}

export class SendNotificationResponse {
  /**
   * How many users it reached; of a broadcast, how many users there are, or how many of the role.
   * @example 2
   */
  created!: number;
  /**
   * By which to look at it and to take it back; null of what was sent to one user.
   * @example 3
   */
  announcement_id!: number | null;
}
