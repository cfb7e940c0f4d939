import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { AttachmentResponse } from '../../attachments/dto/attachment.dto';
import { AttachmentViews } from '../../attachments/views/attachment.views';
import { Transactions } from '../../database/transactions';
import type { InspectedMessageResponse } from '../dto/admin-conversation.dto';
import type { MessageResponse } from '../dto/message.dto';
import type { Extra } from '../rules/message-content.rules';
import { LocalTime } from '../rules/local-time.rules';
import type { Membership } from '../store/membership.store';
import type { MessageRow } from '../store/message.store';
import { type ReaderCounts, readerCounts } from '../rules/reader-counts.rules';
import { displayOf, type Quote, quoteOf, type Quoted } from '../rules/message-display.rules';
import { NO_DETAILS } from '../rules/recalled-text.rules';
import { quotedBy } from '../store/quote.store';
import { readersOf } from '../store/readers.store';
import { asDeleted, type Marks, marksOf, NO_MARKS, spanOf } from './message-marks.views';

/** Read state of a message, as a viewer sees it. */
interface ReadState extends ReaderCounts {
  /** When the viewer read it; of the viewer's own message, when the peer, or the first member of a group, did. */
  readAt?: Date;
}

/** Builds messages as a member of their conversation sees them. */
@Injectable()
export class MessageViews {
  constructor(
    private readonly transactions: Transactions,
    private readonly time: LocalTime,
    private readonly attachments: AttachmentViews,
  ) {}

  /** Describes messages of one conversation, in their order. */
  async describe(
    viewer: Membership,
    messages: MessageRow[],
    em: EntityManager = this.transactions.read(),
  ): Promise<MessageResponse[]> {
    if (messages.length === 0) return [];
    const [readStateOf, quoted, marks] = await Promise.all([
      this.#readStates(em, viewer, messages),
      quotedBy(em, messages),
      marksOf(em, viewer, messages),
    ]);
    return messages.map((message) =>
      this.#toResponse(
        viewer,
        message,
        readStateOf(message),
        marks(message),
        quoted.get(message.reply_seq ?? 0),
      ),
    );
  }

  async describeOne(viewer: Membership, message: MessageRow, em?: EntityManager): Promise<MessageResponse> {
    const [described] = await this.describe(viewer, [message], em);
    return described as MessageResponse;
  }

  /** Describes a message for its sender right after it was sent: all other members have it unread. */
  describeNew(sender: Membership, message: MessageRow, original?: Quoted): MessageResponse {
    const readState = { read_count: 0, unread_count: sender.member_count - 1 };
    return this.#toResponse(sender, message, readState, NO_MARKS, original);
  }

  /** Describes a notice for members other than its sender, for whom `is_self` is true. */
  describeNotice(message: MessageRow): MessageResponse {
    return this.#toResponse({ user_id: 0 }, message, WITHOUT_READERS, NO_MARKS);
  }

  /** Describes a message for an administrator, who is not a member: without read states and reactions. */
  describeForAdministrator(message: MessageRow): InspectedMessageResponse {
    const view = this.#toResponse({ user_id: 0 }, message, WITHOUT_READERS, NO_MARKS);
    const { id, sender_id, sender_name, type, content, display_content } = view;
    const { attachments, is_recalled, kind, sent_at } = view;
    const text = { id, sender_id, sender_name, type, content, display_content };
    return { ...text, attachments, is_recalled, kind, sent_at };
  }

  async #readStates(
    em: EntityManager,
    viewer: Membership,
    messages: MessageRow[],
  ): Promise<(message: MessageRow) => ReadState> {
    const { user_id } = viewer;
    const senderIds = [...new Set(messages.map(({ sender_id }) => sender_id))];
    const { logs, tallies } = await readersOf(em, viewer, spanOf(messages), senderIds);
    return ({ seq, sender_id }) => {
      const intervals = sender_id === user_id ? logs.own : logs.received;
      const readAt = intervals.find(({ from, to }) => from <= seq && seq <= to)?.read_at;
      const counts = tallies ? readerCounts(tallies, seq, sender_id) : readByPeer(readAt !== undefined);
      return { ...counts, readAt };
    };
  }

  #toResponse(
    viewer: { user_id: number },
    message: MessageRow,
    readState: ReadState,
    marks: Marks,
    original?: Quoted,
  ): MessageResponse {
    const is_self = message.sender_id === viewer.user_id;
    const { is_recalled, sender_name, notice } = message;
    const { readAt, read_count, unread_count } = notice === null ? readState : WITHOUT_READERS;
    const quote = original === undefined ? null : quoteOf(original, this.time.catalogue);
    const attachments = message.attachments.map((attachment) => this.attachments.describe(attachment));
    const response: MessageResponse = {
      id: message.id,
      conversation_id: message.conversation_id,
      sender_id: message.sender_id,
      sender_name,
      sender_avatar: message.sender_avatar,
      is_self,
      type: message.type,
      content: attachments[0]?.url ?? message.content,
      display_content: displayOf(message, { is_self, name: sender_name }, this.time.catalogue),
      extra: withPoster(message.extra, attachments[0]),
      attachments,
      is_recalled,
      is_read: notice !== null || readAt !== undefined,
      read_at: readAt === undefined ? null : this.time.dateTime(readAt),
      read_count,
      unread_count,
      time: this.time.hourMinute(message.created_at),
      created_at: this.time.dateTime(message.created_at),
      sent_at: message.created_at.toISOString(),
      kind: notice === null ? 'message' : 'notice',
      notice,
      ...(is_recalled ? NO_DETAILS : this.#detailsOf(message, quote)),
      reactions: marks.reactions,
      is_deleted: false,
      client_msg_id: is_self ? message.client_msg_id : null,
    };
    return marks.is_deleted ? asDeleted(response, this.time.catalogue) : response;
  }

  /** Returns the fields that a recalled message loses besides its content. */
  #detailsOf(
    { mentions, mention_all, is_forwarded, edited_at }: MessageRow,
    reply_to: Quote | null,
  ): Details {
    const edited = edited_at === null ? null : this.time.dateTime(edited_at);
    return { reply_to, mentions, mention_all, is_forwarded, edited_at: edited };
  }
}

type Details = Pick<MessageResponse, 'reply_to' | 'mentions' | 'mention_all' | 'is_forwarded' | 'edited_at'>;

/** Notices have no readers. */
const WITHOUT_READERS: ReadState = { read_count: 0, unread_count: 0 };

/** Adds the URL of the first attachment's poster, under the name that clients give to posters elsewhere. */
const withPoster = (extra: Extra | null, first: AttachmentResponse | undefined): Extra | null =>
  typeof first?.poster_url === 'string' ? { ...extra, poster: first.poster_url } : extra;

/** In a single chat only the peer reads a message. */
const readByPeer = (hasRead: boolean): ReaderCounts => ({
  read_count: hasRead ? 1 : 0,
  unread_count: hasRead ? 0 : 1,
});
