import { Counts, Moment, ZeroOrOne } from '../../openapi/response-fields';
import { toDate } from '../../database/dialect';

/** A notification as its owner sees it (specification 2.5). */
export class NotificationResponse {
  id!: number;
  type!: string;
  title!: string;
  content!: string;
  /** 0 unread, 1 read */
  @ZeroOrOne()
  is_read!: number;
  /** ISO 8601, UTC */
  @Moment()
  created_at!: string;
}

/** The columns that an answer is made of, as they come from the driver. */
export interface NotificationRow {
  id: number;
  type: string;
  title: string;
  content: string;
  unread_epoch: number;
  created_at: Date | string;
}

/** `epoch` is the one of the notification's type that holds: unread is what was last unread in it. */
export function toNotificationResponse(
  row: NotificationRow,
  epoch: number | undefined,
): NotificationResponse {
  const { id, type, title, content } = row;
  const is_read = row.unread_epoch === epoch ? 0 : 1;
  return { id, type, title, content, is_read, created_at: toDate(row.created_at).toISOString() };
}

export class UnreadNotificationsResponse {
  /** Over all types. */
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
  /** How many users it reached; of a broadcast, how many users there are. */
  created!: number;
}
