import { LocalMoment, LocalTimeOfDay, Moment, Picture } from '../../openapi/response-fields';
import { ItemsPage, type PageRequest } from '../../common/http/page';
import type { Extra, MessageType } from '../rules/message-content';

/** A message as one of the conversation's members sees it (specification 2.7). */
export class MessageResponse {
  id!: number;
  conversation_id!: number;
  sender_id!: number;
  sender_name!: string | null;
  @Picture()
  sender_avatar!: string | null;
  /** Sent by the user who asks. */
  is_self!: boolean;
  type!: MessageType;
  /** As it was sent; empty once recalled. */
  content!: string;
  /** The message as one line for people. */
  display_content!: string;
  /** As it was sent; null once recalled. */
  extra!: Extra | null;
  is_recalled!: boolean;
  /** A received message: by the user who asks; an own one: by the peer, or by anybody in the group. */
  is_read!: boolean;
  /** When that was first so: `2026-01-31 16:00:00`. */
  @LocalMoment()
  read_at!: string | null;
  /** Members other than the sender who were there when it was sent, have been since, and have read it. */
  read_count!: number;
  /** Members other than the sender who were there when it was sent, have been since, and have not read it. */
  unread_count!: number;
  /** `16:00` */
  @LocalTimeOfDay()
  time!: string;
  /** `2026-01-31 16:00:00` */
  @LocalMoment()
  created_at!: string;
  /** The same moment in UTC. */
  @Moment()
  sent_at!: string;
}

/** A member who has read a message. */
export class ReaderResponse {
  user_id!: number;
  name!: string | null;
  @Picture()
  avatar!: string | null;
  /** `2026-01-31 16:00:00` */
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
