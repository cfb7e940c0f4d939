import { IdList, LocalMoment, LocalTimeOfDay, Moment, Picture } from '../../openapi/response-fields';
import { ItemsPage, type PageRequest } from '../../common/http/page';
import type { Extra, MessageType } from '../rules/message-content';
import { type MessageKind, NoticeResponse, ReactionResponse } from './message-marks.dto';

/** A message as those that answer it quote it, as it is now (contract 16.3). */
export class QuoteResponse {
  id!: number;
  /**
   * Who sent the original.
   * @example 3
   */
  sender_id!: number;
  /**
   * The sender's name; null of somebody who is not known.
   * @example "鲍勃"
   */
  sender_name!: string | null;
  type!: MessageType;
  /**
   * The first 100 characters of the original as one line for people.
   * @example "你好"
   */
  display_content!: string;
  /** Whether the original was taken back: then its words are that it was. */
  is_recalled!: boolean;
}

/** A message as one of the conversation's members sees it (specification 2.7). */
export class MessageResponse {
  id!: number;
  conversation_id!: number;
  /**
   * Who sent it.
   * @example 2
   */
  sender_id!: number;
  /**
   * The sender's name; null for a user who is gone.
   * @example "爱丽丝"
   */
  sender_name!: string | null;
  /** URL of the sender's picture; null where there is none. */
  @Picture()
  sender_avatar!: string | null;
  /** Sent by the user who asks. */
  is_self!: boolean;
  /** What `content` is. */
  type!: MessageType;
  /** As it was sent; empty once recalled. */
  content!: string;
  /**
   * The message as one line for people.
   * @example "你好"
   */
  display_content!: string;
  /** As it was sent; null once recalled. */
  extra!: Extra | null;
  /** Whether its sender has taken it back. */
  is_recalled!: boolean;
  /** A received message: by the user who asks; an own one: by the peer, or by anybody in the group. */
  is_read!: boolean;
  /** When that was first so, on the clocks of `APP_TIMEZONE`; null before. */
  @LocalMoment()
  read_at!: string | null;
  /** Members other than the sender who were there when it was sent, have been since, and have read it. */
  read_count!: number;
  /** Members other than the sender who were there when it was sent, have been since, and have not read it. */
  unread_count!: number;
  /** The time of day at which it was sent, on the clocks of `APP_TIMEZONE`. */
  @LocalTimeOfDay()
  time!: string;
  /** When it was sent, on the clocks of `APP_TIMEZONE`. */
  @LocalMoment()
  created_at!: string;
  /** The same moment, ISO 8601 in UTC with milliseconds. */
  @Moment()
  sent_at!: string;
  /** `notice`: the service tells what its sender has done; nobody has to read it. */
  kind!: MessageKind;
  /**
   * What a notice tells; null of what people write.
   * @example null
   */
  notice!: NoticeResponse | null;
  /**
   * The message that it answers; null when it answers none, and once recalled.
   * @example null
   */
  reply_to!: QuoteResponse | null;
  /** The users whom it mentions by name; empty once recalled. */
  @IdList()
  mentions!: number[];
  /** Whether it mentions everybody; false once recalled. */
  mention_all!: boolean;
  /** Whether it was said before, elsewhere; false once recalled. */
  is_forwarded!: boolean;
  /** When its content was last changed: `2026-01-31 16:00:00`; null when never, and once recalled. */
  @LocalMoment()
  edited_at!: string | null;
  /**
   * The reactions to it, by first use; none once recalled.
   * @example [{"emoji": "👍", "count": 2, "reacted": true}]
   */
  reactions!: ReactionResponse[];
  /** Whether the user who asks has deleted it for oneself: then nothing of it is shown but its place. */
  is_deleted!: boolean;
  /**
   * One's own message: the id that it was sent with; null where there was none, and of others' messages.
   * @example "b7c1-1"
   */
  client_msg_id!: string | null;
}

/** A member who has read a message. */
export class ReaderResponse {
  user_id!: number;
  /** The name to show; null for a user who is gone. */
  name!: string | null;
  @Picture()
  avatar!: string | null;
  /** When that was, on the clocks of `APP_TIMEZONE`. */
  @LocalMoment()
  read_at!: string;
}

/** A page of those who have read a message, and how many have and have not. */
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
