import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { MessageResponse } from '../dto/message.dto';
import { rangeOver } from '../rules/history-range';
import { LocalTime } from '../rules/local-time';
import type { Membership } from '../store/membership';
import type { Message } from '../store/message.queries';
import { displayOf } from '../rules/message-display';
import { type ReaderCounts, readerCounts } from '../rules/reader-counts';
import { readersOf } from '../store/readers.queries';

/** What the readers have made of a message. */
interface ReadState extends ReaderCounts {
  readAt?: Date;
}

/** Messages as one member of their conversation sees them. */
@Injectable()
export class MessageViews {
  constructor(
    private readonly dataSource: DataSource,
    private readonly time: LocalTime,
  ) {}

  /** Messages of one conversation, in the order given; `em` reads inside a transaction. */
  async describe(
    viewer: Membership,
    messages: Message[],
    em: EntityManager = this.dataSource.manager,
  ): Promise<MessageResponse[]> {
    if (messages.length === 0) return [];
    const readStateOf = await this.#readStates(em, viewer, messages);
    return messages.map((message) => this.#toResponse(viewer, message, readStateOf(message)));
  }

  async describeOne(viewer: Membership, message: Message, em?: EntityManager): Promise<MessageResponse> {
    const readStateOf = await this.#readStates(em ?? this.dataSource.manager, viewer, [message]);
    return this.#toResponse(viewer, message, readStateOf(message));
  }

  /** A message that its sender has just sent: all other members have it still to read. */
  describeNew(sender: Membership, message: Message): MessageResponse {
    return this.#toResponse(sender, message, { read_count: 0, unread_count: sender.member_count - 1 });
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
    viewer: Membership,
    message: Message,
    { readAt, read_count, unread_count }: ReadState,
  ): MessageResponse {
    const is_self = message.sender_id === viewer.user_id;
    const { is_recalled, sender_name } = message;
    return {
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
      is_read: readAt !== undefined,
      read_at: readAt === undefined ? null : this.time.dateTime(readAt),
      read_count,
      unread_count,
      time: this.time.hourMinute(message.created_at),
      created_at: this.time.dateTime(message.created_at),
      sent_at: message.created_at.toISOString(),
    };
  }
}

/** In a single chat nobody but the other one reads a message. */
const readByOther = (hasRead: boolean): ReaderCounts => ({
  read_count: hasRead ? 1 : 0,
  unread_count: hasRead ? 0 : 1,
});
