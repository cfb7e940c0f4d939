import { Cursor, Limit } from '../../common/input/list-fields';
import { TimestampField } from '../../openapi/response-fields';
import type { SenderType } from '../entities/announcement.entity';
import { type Audience, announcementAudience } from '../rules/audience.rules';
import { dataOf, type NotificationData } from '../rules/notification-content.rules';
import type { AnnouncementRow } from '../store/announcement.store';

/** GET /api/admin/announcements (API 10.4). */
export class ListAnnouncementsQuery {
  @Limit()
  limit!: number;

  /**
   * The `next_cursor` of the previous page; omitted: the first page.
   * @example "My4zNjFjY2Q5ZGNjZGQ"
   */
  @Cursor()
  cursor?: string;
}

/** The sender of an announcement. */
export class AnnouncementSenderResponse {
  /**
   * `user`: an administrator; `key`: a backend with an API key.
   * @example "user"
   */
  type!: SenderType;
  /**
   * Id of the user or of the API key.
   * @example 1
   */
  id!: number;
  /**
   * Name of the sender at the time of sending.
   * @example "管理员"
   */
  name!: string;
}

/** Reach of an announcement. A request for it starts a new count if the last one is older than 5 minutes. */
export class AnnouncementReachResponse {
  /**
   * Number of inboxes that contain it.
   * @example 3
   */
  delivered!: number;
  /**
   * Number of inboxes in which it has been read.
   * @example 1
   */
  read!: number;
  /** Time of the count; null before the first count, when the numbers are 0. */
  @TimestampField()
  counted_at!: Date | null;
}

/** A notification to more than one user, as administrators see it. */
export class AnnouncementResponse {
  id!: number;
  /**
   * Type of its notifications.
   * @example "announcement"
   */
  type!: string;
  title!: string;
  /** Text of the announcement, at most 2,000 characters. */
  content!: string;
  /**
   * Machine-readable data, as it was sent; null if there was none.
   * @example {"building": 1}
   */
  data!: NotificationData | null;
  /** Sender; null if it was not recorded (older announcements). */
  sender!: AnnouncementSenderResponse | null;
  /**
   * Audience: `all`, `role:user` or `role:admin` (by the stored role), or `users` (named users).
   * @example "all"
   */
  audience!: Audience;
  /**
   * Number of users in the audience at the time of sending.
   * @example 4
   */
  recipients!: number;
  /**
   * `recalled` after a recall.
   * @example "sent"
   */
  status!: 'sent' | 'recalled';
  /** In how many inboxes it is, and has been read. */
  reach!: AnnouncementReachResponse;
  @TimestampField()
  created_at!: Date;
  /** Time of the recall; null if it has not been recalled. */
  @TimestampField()
  recalled_at!: Date | null;
}

/** A page of announcements, newest first. */
export class AnnouncementsResponse {
  items!: AnnouncementResponse[];
  next_cursor!: string | null;
}

export const toAnnouncementResponse = (row: AnnouncementRow): AnnouncementResponse => ({
  id: row.id,
  type: row.type,
  title: row.title,
  content: row.content,
  data: dataOf(row.data),
  sender: senderOf(row),
  audience: announcementAudience(row),
  recipients: row.recipients,
  status: row.recalled_at === null ? 'sent' : 'recalled',
  reach: { delivered: row.delivered, read: row.read_count, counted_at: row.counted_at },
  created_at: row.created_at,
  recalled_at: row.recalled_at,
});

function senderOf({ sender_type: type, sender_id: id, sender_name: name }: AnnouncementRow) {
  return type === null || id === null ? null : { type, id, name: name ?? '' };
}
