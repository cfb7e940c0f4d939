import { Cursor, Limit } from '../../common/input/list-fields';
import { AnyObject, Moment } from '../../openapi/response-fields';
import type { SenderType } from '../entities/announcement.entity';
import { type Audience, audienceOf } from '../rules/audience';
import { dataOf, type NotificationData } from '../rules/message';
import type { AnnouncementRow } from '../store/announcement-rows';

/** GET /api/admin/announcements (contract 14.3). */
export class ListAnnouncementsQuery {
  @Limit()
  limit!: number;

  /**
   * The `next_cursor` of the page before; left out: the newest.
   * @example "My4zNjFjY2Q5ZGNjZGQ"
   */
  @Cursor()
  cursor?: string;
}

/** Who sent an announcement. */
export class AnnouncementSenderResponse {
  /**
   * An administrator, or a back end with a key.
   * @example "user"
   */
  type!: SenderType;
  /**
   * The user's or the key's id.
   * @example 1
   */
  id!: number;
  /**
   * The name at that time.
   * @example "管理员"
   */
  name!: string;
}

/** How far an announcement has come. It is counted again, at most every 5 minutes, while somebody asks. */
export class AnnouncementReachResponse {
  /**
   * In how many inboxes it is.
   * @example 3
   */
  delivered!: number;
  /**
   * In how many of them it has been read.
   * @example 1
   */
  read!: number;
  /** When that was counted; null before the first time: then the numbers are 0. */
  @Moment()
  counted_at!: Date | null;
}

/** What was sent to more than one user, as the administration sees it. */
export class AnnouncementResponse {
  id!: number;
  /**
   * Which kind of notification it is.
   * @example "announcement"
   */
  type!: string;
  title!: string;
  /** What it says, at most 2,000 characters. */
  content!: string;
  /**
   * What it is about, for programs, as it was sent; null where nothing was.
   * @example {"building": 1}
   */
  @AnyObject()
  data!: NotificationData | null;
  /** Who sent it; null where it was sent before that was kept. */
  sender!: AnnouncementSenderResponse | null;
  /**
   * For whom: `all`, `role:user`, `role:admin` (by the stored role), or `users` who were named.
   * @example "all"
   */
  audience!: Audience;
  /**
   * For how many users it was when it was sent.
   * @example 4
   */
  recipients!: number;
  /**
   * `recalled` once it has been taken back.
   * @example "sent"
   */
  status!: 'sent' | 'recalled';
  /** How far it has come. */
  reach!: AnnouncementReachResponse;
  @Moment()
  created_at!: Date;
  /** When it was taken back; null while it stands. */
  @Moment()
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
  audience: audienceOf(row),
  recipients: row.recipients,
  status: row.recalled_at === null ? 'sent' : 'recalled',
  reach: { delivered: row.delivered, read: row.read_count, counted_at: row.counted_at },
  created_at: row.created_at,
  recalled_at: row.recalled_at,
});

function senderOf({ sender_type: type, sender_id: id, sender_name: name }: AnnouncementRow) {
  return type === null || id === null ? null : { type, id, name: name ?? '' };
}
