import { LocalMoment, Moment, Picture } from '../../openapi/response-fields';
import { ItemsPage, type PageRequest } from '../../common/http/page';
import { NoticeResponse } from './message-marks.dto';
import type { MemberRole } from '../entities/conversation-member.entity';
import type { ConversationType } from '../entities/conversation.entity';
import type { MessageType } from '../rules/message-content';

/** A conversation as one of its members sees it (specification 2.6). */
export class ConversationResponse {
  id!: number;
  /** A chat of two, or a group. */
  type!: ConversationType;
  /** The peer's name, or the group's. */
  name!: string;
  /** The peer's picture, or the group's. */
  @Picture()
  avatar!: string | null;
  /** Whether it is a group. */
  is_group!: boolean;
  /**
   * How many are in it; null in single chats.
   * @example 3
   */
  member_count!: number | null;
  /**
   * The display content of the newest message that the member sees; null where there is none.
   * @example "你好"
   */
  last_message!: string | null;
  /**
   * Who sent that message; null in single chats.
   * @example "爱丽丝"
   */
  last_sender_name!: string | null;
  /**
   * When the newest message came, or the member: `16:00`, 昨天, 星期六, `01-31`, `2025-12-31`.
   * @example "16:00"
   */
  time!: string;
  /** That moment in full: `2026-01-31 16:00:00`. */
  @LocalMoment()
  last_message_at!: string;
  unread_count!: number;
  /**
   * The type of the newest message that the member sees; null where there is none.
   * @example "text"
   */
  message_type!: MessageType | null;
  /** When the newest message that the member sees was sent, recalled or not; null where there is none. */
  @Moment()
  last_sent_at!: string | null;
  /**
   * The newest message that the member has read, an own one too; null where there is none.
   * @example 1
   */
  last_read_message_id!: number | null;
  muted!: boolean;
  /** When `muted` ends by itself; null when it does not. */
  @Moment()
  mute_until!: string | null;
  pinned!: boolean;
  hidden!: boolean;
  /** The member's own; nobody owns a single chat. */
  role!: MemberRole;
  /** The other user of a single chat; null in groups. */
  peer_id!: number | null;
  /**
   * The newest message that the member sees; null when there is none.
   * @example 1
   */
  last_message_id!: number | null;
  /**
   * Who sent it; null when there is none.
   * @example 3
   */
  last_sender_id!: number | null;
  /** Whether the newest message that the member sees was recalled. */
  last_is_recalled!: boolean;
  /** Whether the member has deleted that message for themselves. */
  last_is_deleted!: boolean;
  /**
   * The `notice` of that message; null where it is none.
   * @example null
   */
  last_notice!: NoticeResponse | null;
  /**
   * The newest unread message that mentions the member; null when none does.
   * @example 1
   */
  mention_id!: number | null;
}

/** A page of one's list; its header `X-Pinned-Count` tells how many of it, the first ones, are pinned. */
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
  /** How many messages of the conversation the user has not read yet. */
  unread_count!: number;
}

/** The number of unread messages over all conversations that are not muted. */
export class UnreadTotalResponse {
  /** How many messages the user has not read, over all conversations that are not muted. */
  count!: number;
}

/** A member of a conversation. */
export class MemberResponse {
  user_id!: number;
  /** The name to show; null for a user who is gone. */
  name!: string | null;
  @Picture()
  avatar!: string | null;
  /** The owner manages the group; nobody owns a single chat. */
  role!: MemberRole;
  /** Since when, on the clocks of `APP_TIMEZONE`. */
  @LocalMoment()
  joined_at!: string;
}
