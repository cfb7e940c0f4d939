import { AttachmentResponse } from '../../attachments/dto/attachment.dto';
import { Id, Integer, OneOf, QueryId, Text } from '../../common/input/fields';
import { Cursor, Limit } from '../../common/input/list-fields';
import { Picture, TimestampField } from '../../openapi/response-fields';
import { CONVERSATION_TYPES, type ConversationType } from '../entities/conversation.entity';
import type { MessageType } from '../rules/message-content.rules';
import type { MessageKindField } from './message-marks.dto';

const MAX_KEYWORD = 100;
const MIN_REASON = 5;
const MAX_REASON = 200;
const MAX_INSPECTED = 50;
const DEFAULT_INSPECTED = 20;

/** GET /api/admin/conversations (API 15.5). */
export class ListAllConversationsQuery {
  /** Only single chats, or only groups. */
  @OneOf(CONVERSATION_TYPES, { optional: true })
  type?: ConversationType;

  /**
   * Part of a group's name; at most 100 characters. ASCII letters are compared without regard to case.
   * @example "team"
   */
  @Text({ max: MAX_KEYWORD, optional: true })
  keyword?: string;

  /**
   * Only the conversations of this user.
   * @example 2
   */
  @QueryId()
  user_id?: number;

  @Limit()
  limit!: number;

  /**
   * The `next_cursor` of the previous page; default: the newest conversations.
   * @example "NDIuOGMyYzhiM2YwZjAw"
   */
  @Cursor()
  cursor?: string;
}

/** POST /api/admin/conversations/{id}/inspections (API 15.5). */
export class InspectConversationRequest {
  /**
   * Why the messages are read, 5 to 200 characters; kept in the audit log.
   * @example "Complaint 4711 of the recipient"
   */
  @Text({ min: MIN_REASON, max: MAX_REASON })
  reason!: string;

  /**
   * Only messages before this one: the `next_before_id` of the previous response. Default: the newest messages.
   * @example 21
   */
  @Id({ optional: true })
  before_id?: number;

  /** Number of messages, 1 to 50. */
  @Integer({ min: 1, max: MAX_INSPECTED, default: DEFAULT_INSPECTED })
  limit!: number;
}

/** A user of a single chat. */
export class ConversationPersonResponse {
  user_id!: number;
  /** The name to show; null when the user no longer exists. */
  name!: string | null;
}

/** A conversation as administrators see it: no contents. */
export class AdminConversationResponse {
  id!: number;
  type!: ConversationType;
  /**
   * Name of the group; null for a single chat.
   * @example "Team"
   */
  name!: string | null;
  /** URL of the group's picture; null where there is none. */
  @Picture()
  avatar!: string | null;
  /** The two users of a single chat, also of one that they have left; empty for a group. */
  people!: ConversationPersonResponse[];
  /**
   * Number of users who are members now.
   * @example 2
   */
  member_count!: number;
  /**
   * Number of all messages, including notices and recalled messages.
   * @example 40
   */
  message_count!: number;
  /** When the newest message was sent; null without messages. */
  @TimestampField()
  last_message_at!: Date | null;
  @TimestampField()
  created_at!: Date;
}

/** A page of conversations, newest first. */
export class AdminConversationsResponse {
  items!: AdminConversationResponse[];
  /** `cursor` of the next page; null on the last page. */
  next_cursor!: string | null;
}

/** Number of messages of a day of `APP_TIMEZONE`. */
export class ConversationDayResponse {
  /**
   * Date in `APP_TIMEZONE`.
   * @example "2026-01-31"
   */
  day!: string;
  /**
   * Number of counted messages of the day.
   * @example 12
   */
  messages!: number;
}

/** Number of messages of a sender. */
export class ConversationSenderResponse extends ConversationPersonResponse {
  /**
   * Number of counted messages of the sender.
   * @example 12
   */
  messages!: number;
}

/** A conversation with its statistics. */
export class AdminConversationDetailResponse extends AdminConversationResponse {
  /**
   * Number of notices of the service, such as that a member has joined.
   * @example 3
   */
  notice_count!: number;
  /**
   * Number of messages that `days` and `senders` count: the newest messages of users, at most 1,000.
   * @example 37
   */
  counted_messages!: number;
  /** Counted messages by day, oldest first; days without messages are left out. */
  days!: ConversationDayResponse[];
  /** The ten users with the most counted messages, the most first. */
  senders!: ConversationSenderResponse[];
}

/** A message as an administrator reads it. */
export class InspectedMessageResponse {
  id!: number;
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
   * The uploaded files of the message, with new URLs in each response; empty once recalled.
   * @example []
   */
  attachments!: AttachmentResponse[];
  /** Whether the sender has recalled it. */
  is_recalled!: boolean;
  /** `notice`: the service reports what the sender has done. */
  kind!: MessageKindField;
  /** When it was sent, ISO 8601 in UTC with milliseconds. */
  @TimestampField()
  sent_at!: string;
}

/** Messages that an administrator reads, newest first. */
export class InspectionResponse {
  items!: InspectedMessageResponse[];
  /**
   * `before_id` of the next request; null: there are no older messages.
   * @example 21
   */
  next_before_id!: number | null;
}
