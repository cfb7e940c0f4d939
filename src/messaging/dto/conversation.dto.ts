import { LocalMoment, Moment, Picture } from '../../openapi/response-fields';
import { ItemsPage, type PageRequest } from '../../common/http/page';
import type { MemberRole } from '../entities/conversation-member.entity';
import type { ConversationType } from '../entities/conversation.entity';
import type { MessageType } from '../rules/message-content';

/** A conversation as one of its members sees it (specification 2.6). */
export class ConversationResponse {
  id!: number;
  type!: ConversationType;
  /** The peer's name, or the group's. */
  name!: string;
  /** The peer's picture, or the group's. */
  @Picture()
  avatar!: string | null;
  is_group!: boolean;
  /** Groups only. */
  member_count!: number | null;
  /** The display content of the newest message that the member sees. */
  last_message!: string | null;
  /** Groups only. */
  last_sender_name!: string | null;
  /** When the newest message came, or the member: `16:00`, 昨天, 星期六, `01-31`, `2025-12-31`. */
  time!: string;
  /** That moment in full: `2026-01-31 16:00:00`. */
  @LocalMoment()
  last_message_at!: string;
  unread_count!: number;
  message_type!: MessageType | null;
  /** When the newest message that the member sees was sent, recalled or not. */
  @Moment()
  last_sent_at!: string | null;
  /** The newest message that the member has read, an own one too. */
  last_read_message_id!: number | null;
  /** Left out of the number on the badge; until `mute_until`, where that is given. */
  muted!: boolean;
  /** When `muted` ends by itself; null when it does not. */
  @Moment()
  mute_until!: string | null;
  /** First in the list. */
  pinned!: boolean;
  /** Left out of the list until the next message. */
  hidden!: boolean;
  /** The member's own; nobody owns a single chat. */
  role!: MemberRole;
  /** Single chats only: the other user. */
  peer_id!: number | null;
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
  unread_count!: number;
}

/** The number of unread messages over all conversations that are not muted. */
export class UnreadTotalResponse {
  count!: number;
}

/** A member of a conversation. */
export class MemberResponse {
  user_id!: number;
  name!: string | null;
  @Picture()
  avatar!: string | null;
  role!: MemberRole;
  /** `2026-01-31 16:00:00` */
  @LocalMoment()
  joined_at!: string;
}
