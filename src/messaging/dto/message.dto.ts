import { AttachmentResponse } from '../../attachments/dto/attachment.dto';
import {
  IdList,
  LocalTimestampField,
  LocalTimeOfDay,
  TimestampField,
  Picture,
} from '../../openapi/response-fields';
import { ItemsPage, type PageRequest } from '../../common/http/page';
import type { Extra, MessageType } from '../rules/message-content.rules';
import { type MessageKindField, NoticeResponse, ReactionResponse } from './message-marks.dto';

/** A message as it is quoted in replies to it, in its current state (API 8.5). */
export class QuoteResponse {
  id!: number;
  /**
   * Sender of the original.
   * @example 3
   */
  sender_id!: number;
  /**
   * Name of the sender; null when the user no longer exists.
   * @example "鲍勃"
   */
  sender_name!: string | null;
  type!: MessageType;
  /**
   * The first 100 characters of the original as one line of text.
   * @example "你好"
   */
  display_content!: string;
  /** Whether the original was recalled; `display_content` then states only that. */
  is_recalled!: boolean;
}

/** A message as a member of its conversation sees it (API 8.1). */
export class MessageResponse {
  id!: number;
  conversation_id!: number;
  /**
   * Sender of the message.
   * @example 2
   */
  sender_id!: number;
  /**
   * Name of the sender; null when the user no longer exists.
   * @example "爱丽丝"
   */
  sender_name!: string | null;
  /** URL of the sender's picture; null where there is none. */
  @Picture()
  sender_avatar!: string | null;
  /** Whether the requesting user is the sender. */
  is_self!: boolean;
  /** Type of `content`. */
  type!: MessageType;
  /** The content as it was sent or last edited; empty once recalled. */
  content!: string;
  /**
   * The message as one line of text.
   * @example "你好"
   */
  display_content!: string;
  /**
   * The additional data as it was sent, with the known properties of the first attachment, and with its poster's id and URL
   * (`poster_attachment_id`, `poster`); null once recalled.
   */
  extra!: Extra | null;
  /**
   * The uploaded files of the message, with new URLs in each response; `content` is the URL of the first one. Empty for
   * other messages, and once recalled.
   * @example []
   */
  attachments!: AttachmentResponse[];
  /** Whether the sender has recalled it. */
  is_recalled!: boolean;
  /**
   * Whether it has been read: a received message by the requesting user; an own message by the peer, or by any other
   * member of the group.
   */
  is_read!: boolean;
  /** When it was read, as `is_read` defines it, in the time zone `APP_TIMEZONE`; null before. */
  @LocalTimestampField()
  read_at!: string | null;
  /** Number of members other than the sender who have been members since it was sent and have read it. */
  read_count!: number;
  /** Number of members other than the sender who have been members since it was sent and have not read it. */
  unread_count!: number;
  /** The time of day at which it was sent, in the time zone `APP_TIMEZONE`. */
  @LocalTimeOfDay()
  time!: string;
  /** When it was sent, in the time zone `APP_TIMEZONE`. */
  @LocalTimestampField()
  created_at!: string;
  /** When it was sent, ISO 8601 in UTC with milliseconds. */
  @TimestampField()
  sent_at!: string;
  /** `notice`: the service reports what the sender has done. Notices are never unread. */
  kind!: MessageKindField;
  /**
   * Content of a notice; null for messages of users.
   * @example null
   */
  notice!: NoticeResponse | null;
  /**
   * The message that it replies to; null when it is no reply, and once recalled.
   * @example null
   */
  reply_to!: QuoteResponse | null;
  /** The users that it mentions by name; empty once recalled. */
  @IdList()
  mentions!: number[];
  /** Whether it mentions everybody; false once recalled. */
  mention_all!: boolean;
  /** Whether it was forwarded; false once recalled. */
  is_forwarded!: boolean;
  /** When its content was last changed: `2026-01-31 16:00:00`; null when never, and once recalled. */
  @LocalTimestampField()
  edited_at!: string | null;
  /**
   * The reactions to it, in the order of first use; empty once recalled.
   * @example [{"emoji": "👍", "count": 2, "reacted": true}]
   */
  reactions!: ReactionResponse[];
  /**
   * Whether the requesting user has deleted it for themselves. Its content is hidden then; it only keeps its position
   * in the history.
   */
  is_deleted!: boolean;
  /**
   * Own messages: the id that it was sent with, null when there was none. Null for messages of other users.
   * @example "b7c1-1"
   */
  client_msg_id!: string | null;
}

/** A member who has read a message. */
export class ReaderResponse {
  user_id!: number;
  /** The name to show; null when the user no longer exists. */
  name!: string | null;
  @Picture()
  avatar!: string | null;
  /** When the member read the message, in the time zone `APP_TIMEZONE`. */
  @LocalTimestampField()
  read_at!: string;
}

/** A page of the members who have read a message, with the numbers of members who have and have not read it. */
export class ReadersPageResponse extends ItemsPage<ReaderResponse> {
  readonly read_count: number;
  readonly unread_count: number;

  constructor(
    items: ReaderResponse[],
    page: PageRequest,
    { read_count, unread_count }: { read_count: number; unread_count: number },
  ) {
    super(items, read_count, page);
    this.read_count = read_count;
    this.unread_count = unread_count;
  }
}
