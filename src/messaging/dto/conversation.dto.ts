import { LocalTimestampField, TimestampField, Picture } from '../../openapi/response-fields';
import { ItemsPage, type PageRequest } from '../../common/http/page';
import { NoticeResponse } from './message-marks.dto';
import type { MemberRole } from '../entities/conversation-member.entity';
import type { ConversationType } from '../entities/conversation.entity';
import type { MessageType } from '../rules/message-content.rules';

/** A conversation as one of its members sees it (API 7.1). */
export class ConversationResponse {
  id!: number;
  /** A single chat or a group. */
  type!: ConversationType;
  /** Name of the peer or the group. */
  name!: string;
  /** Picture of the peer or the group. */
  @Picture()
  avatar!: string | null;
  /** Whether it is a group. */
  is_group!: boolean;
  /**
   * Number of members; null in single chats.
   * @example 3
   */
  member_count!: number | null;
  /**
   * The display content of the newest message that the member sees; null where there is none.
   * @example "你好"
   */
  last_message!: string | null;
  /**
   * Name of the sender of the newest message that the member sees; null in single chats.
   * @example "爱丽丝"
   */
  last_sender_name!: string | null;
  /**
   * Time of the newest message that the member sees, or of joining: `16:00`, 昨天, 星期六, `01-31`, `2025-12-31`.
   * @example "16:00"
   */
  time!: string;
  /** The same time as in `time`, in full: `2026-01-31 16:00:00`. */
  @LocalTimestampField()
  last_message_at!: string;
  unread_count!: number;
  /**
   * The type of the newest message that the member sees; null where there is none.
   * @example "text"
   */
  message_type!: MessageType | null;
  /** When the newest message that the member sees was sent, recalled or not; null where there is none. */
  @TimestampField()
  last_sent_at!: string | null;
  /**
   * The newest message that the member has read or sent; null when there is none.
   * @example 1
   */
  last_read_message_id!: number | null;
  muted!: boolean;
  /** End of the mute; null when it has none. */
  @TimestampField()
  mute_until!: string | null;
  pinned!: boolean;
  hidden!: boolean;
  /** The member's role; a single chat has no owner. */
  role!: MemberRole;
  /** The other user of a single chat; null in groups. */
  peer_id!: number | null;
  /**
   * The newest message that the member sees; null when there is none.
   * @example 1
   */
  last_message_id!: number | null;
  /**
   * Sender of the newest message that the member sees; null when there is none.
   * @example 3
   */
  last_sender_id!: number | null;
  /** Whether the newest message that the member sees was recalled. */
  last_is_recalled!: boolean;
  /** Whether the member has deleted the newest message for themselves. */
  last_is_deleted!: boolean;
  /**
   * The `notice` of the newest message that the member sees; null when it is not a notice.
   * @example null
   */
  last_notice!: NoticeResponse | null;
  /**
   * The newest unread message that mentions the member; null when none does.
   * @example 1
   */
  mention_id!: number | null;
}

/**
 * A page of the user's conversations. The header `X-Pinned-Count` is the number of pinned ones on it, which come first.
 */
export class ConversationsPageResponse extends ItemsPage<ConversationResponse> {
  readonly #pinned: number;

  constructor(items: ConversationResponse[], total: number, page: PageRequest, pinned: number) {
    super(items, total, page);
    this.#pinned = pinned;
  }

  override get headers(): Record<string, number> {
    return { ...super.headers, 'X-Pinned-Count': this.#pinned };
  }
}

/** A number of unread messages. */
export class UnreadCountResponse {
  /** Number of messages of the conversation that the user has not read. */
  unread_count!: number;
}

/** The number of unread messages in all conversations that are not muted. */
export class UnreadTotalResponse {
  /** Number of messages that the user has not read, in all conversations that are not muted. */
  count!: number;
}

/** A member of a conversation. */
export class MemberResponse {
  user_id!: number;
  /** The name to show; null when the user no longer exists. */
  name!: string | null;
  @Picture()
  avatar!: string | null;
  /** The owner manages the group; a single chat has no owner. */
  role!: MemberRole;
  /** When the user became a member, in the time zone `APP_TIMEZONE`. */
  @LocalTimestampField()
  joined_at!: string;
}
