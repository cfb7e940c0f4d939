import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { MessageResponse } from '../dto/message.dto';
import { rangeOver } from '../rules/history-range';
import { LocalTime } from '../rules/local-time';
import type { Membership } from '../store/membership';
import type { Message } from '../store/message.queries';
import { displayOf } from '../rules/message-display';
import { type ReaderCounts, readerCounts } from '../rules/reader-counts';
import { type Quote, quoteOf, type Quoted } from '../rules/quotes';
import { quotedBy } from '../store/messages/quote.queries';
import { readersOf } from '../store/readers.queries';
import { asDeleted, type Marks, marksOf, NO_MARKS } from './message-marks';

/** What the readers have made of a message. */
interface ReadState extends ReaderCounts {
  readAt?: Date;
}

/** What messages are described with: who has read each, what they answer, and how they are marked. */
type Surroundings = [
  readStateOf: (message: Message) => ReadState,
  quoted: Awaited<ReturnType<typeof quotedBy>>,
  marks: Awaited<ReturnType<typeof marksOf>>,
];

/** Messages as one member of their conversation sees them. */
@Injectable()
export class MessageViews {
  constructor(
    private readonly dataSource: DataSource,
    private readonly time: LocalTime,
  ) {}

  /** Messages of one conversation, in the order given; `em` reads inside a transaction. */
  async describe(viewer: Membership, messages: Message[], em?: EntityManager): Promise<MessageResponse[]> {
    if (messages.length === 0) return [];
    const [readStateOf, quoted, marks] = await (em === undefined
      ? this.#askAtOnce(viewer, messages)
      : this.#askInTurn(em, viewer, messages));
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

  /** Outside of a transaction nothing waits for the other. */
  #askAtOnce(viewer: Membership, messages: Message[]): Promise<Surroundings> {
    const { manager } = this.dataSource;
    return Promise.all([
      this.#readStates(manager, viewer, messages),
      quotedBy(manager, messages),
      marksOf(manager, viewer, messages),
    ]);
  }

  async #askInTurn(em: EntityManager, viewer: Membership, messages: Message[]): Promise<Surroundings> {
    const readStateOf = await this.#readStates(em, viewer, messages);
    const quoted = await quotedBy(em, messages);
    return [readStateOf, quoted, await marksOf(em, viewer, messages)];
  }

  async describeOne(viewer: Membership, message: Message, em?: EntityManager): Promise<MessageResponse> {
    const [described] = await this.describe(viewer, [message], em);
    return described as MessageResponse;
  }

  /** A message that its sender has just sent: all other members have it still to read. */
  describeNew(sender: Membership, message: Message, original?: Quoted): MessageResponse {
    const nobody = { read_count: 0, unread_count: sender.member_count - 1 };
    return this.#toResponse(sender, message, nobody, NO_MARKS, original);
  }

  /** A notice as it is for all but its sender, who sees it as an own message. */
  describeNotice(message: Message): MessageResponse {
    return this.#toResponse({ user_id: 0 }, message, NOBODYS_TO_READ, NO_MARKS);
  }

  async #readStates(
    em: EntityManager,
    viewer: Membership,
    messages: Message[],
  ): Promise<(message: Message) => ReadState> {
    const { user_id } = viewer;
    const senderIds = [...new Set(messages.map(({ sender_id }) => sender_id))];
    const range = rangeOver(messages.map(({ seq }) => ({ from: seq, to: seq })));
    const { logs, tallies } = await readersOf(em, viewer, range, senderIds);
    return ({ seq, sender_id }) => {
      const log = sender_id === user_id ? logs.own : logs.received;
      const readAt = log.find(({ from, to }) => from <= seq && seq <= to)?.read_at;
      const counts = tallies ? readerCounts(tallies, seq, sender_id) : readByOther(readAt !== undefined);
      return { ...counts, readAt };
    };
  }

  #toResponse(
    viewer: { user_id: number },
    message: Message,
    readState: ReadState,
    marks: Marks,
    original?: Quoted,
  ): MessageResponse {
    const is_self = message.sender_id === viewer.user_id;
    const { is_recalled, sender_name, notice } = message;
    const { readAt, read_count, unread_count } = notice === null ? readState : NOBODYS_TO_READ;
    const quote = original === undefined ? null : quoteOf(original, this.time.words);
    const response: MessageResponse = {
      id: message.id,
      conversation_id: message.conversation_id,
      sender_id: message.sender_id,
      sender_name,
      sender_avatar: message.sender_avatar,
      is_self,
      type: message.type,
      content: message.content,
      display_content: displayOf(message, { is_self, name: sender_name }, this.time.words),
      extra: message.extra,
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
      ...(is_recalled ? NOTHING_MORE : this.#more(message, quote)),
      reactions: marks.reactions,
      is_deleted: false,
      client_msg_id: is_self ? message.client_msg_id : null,
    };
    return marks.is_deleted ? asDeleted(response, this.time.words) : response;
  }

  /** What a message has beside what it says. */
  #more({ mentions, mention_all, is_forwarded, edited_at }: Message, reply_to: Quote | null): More {
    const edited = edited_at === null ? null : this.time.dateTime(edited_at);
    return { reply_to, mentions, mention_all, is_forwarded, edited_at: edited };
  }
}

type More = Pick<MessageResponse, 'reply_to' | 'mentions' | 'mention_all' | 'is_forwarded' | 'edited_at'>;

/** What a recalled message has of it. */
const NOTHING_MORE: More = {
  reply_to: null,
  mentions: [],
  mention_all: false,
  is_forwarded: false,
  edited_at: null,
};

/** Notices have no readers. */
const NOBODYS_TO_READ: ReadState = { read_count: 0, unread_count: 0 };

/** In a single chat nobody but the other one reads a message. */
const readByOther = (hasRead: boolean): ReaderCounts => ({
  read_count: hasRead ? 1 : 0,
  unread_count: hasRead ? 0 : 1,
});
