import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { EventsService } from '../../events/events.service';
import { type NewEvent, toSharedEvent } from '../../events/log/event';
import { topicLog } from '../../events/log/log-id';
import { DomainEvents } from '../../outbox/domain-events';
import { LocalTime } from '../rules/local-time.rules';
import { doesMention } from '../rules/mentions.rules';
import type { MemberState } from '../rules/send-batch.rules';
import { lockReadPositions } from '../store/members.store';
import type { Membership } from '../store/membership.store';
import type { MessageRow } from '../store/message.store';
import { readsOf } from '../store/readers.store';
import { ConversationViews } from '../views/conversation.views';
import type { MessageView, ReadEvent } from './event-payloads';
import { recalledFor, splitConversation } from './group-event';
import { ReadReceiptBroadcaster } from './read-receipt-broadcaster';

/* Own parts of a message, constant objects because the encoding of events compares them by identity first. */
const SELF = { is_self: true };
const OTHERS = { is_self: false };

/** A read position that has moved: up to which message, and when. */
export interface ReadReceipt {
  membership: Pick<Membership, 'conversation_id' | 'user_id' | 'type' | 'peer_id' | 'pulled'>;
  /** Newest message that is read; null when the member sees no message. */
  up_to_message_id: number | null;
  /** Messages that remain unread. */
  unread_count: number;
  /** Newest unread message that mentions the member. */
  mention_id: number | null;
  read_at: Date;
}

/**
 * A sent message: the sender's membership, with its number as `max_seq`, the sender's view of it, and what the sender reads
 * by sending.
 */
export interface SentMessage {
  sender: Membership;
  senderView: MessageView;
  read: ReadReceipt | undefined;
  /** Trace of the request that sent it. */
  traceparent: string | undefined;
}

/** The fields of a message that do not depend on the viewer. */
type SharedMessage = Pick<MessageView, 'id' | 'conversation_id' | 'sender_id' | 'type' | 'content' | 'extra'>;

interface MessagePayload extends Pick<SharedMessage, 'conversation_id' | 'sender_id' | 'content' | 'extra'> {
  message_id: number;
  message_type: SharedMessage['type'];
}

declare module '../../outbox/domain-event-types' {
  interface DomainEventPayloads {
    'message.created': MessagePayload;
    /** With an empty `content`, and `extra` null. */
    'message.recalled': MessagePayload;
    /** Internal: a user has read a conversation, perhaps not all of it, or has deleted one of its messages for themselves. */
    'conversation.read': { user_id: number; conversation_id: number };
  }
}

/**
 * Publishes sent, read and recalled messages in the transaction that causes it: to the members' logs (API 13), and once
 * as a domain event (API 14.7). There is no domain event for a notice, since no user has sent it. In a group that is
 * fanned out on read, an event is written once, to the group's topic; `LargeGroupEvents` builds the view of each
 * connected member.
 */
@Injectable()
export class MessageEvents {
  constructor(
    private readonly events: EventsService,
    private readonly views: ConversationViews,
    private readonly time: LocalTime,
    private readonly liveReads: ReadReceiptBroadcaster,
    private readonly domainEvents: DomainEvents,
  ) {}

  /**
   * `message.created` for messages that are sent together, and before each, `conversation.read` if its sender had
   * unread messages.
   * @param members their state before the first message
   */
  sent(em: EntityManager, sent: SentMessage[], members: MemberState[]): void {
    const [first] = sent;
    if (first === undefined) return;
    for (const { senderView, traceparent } of sent)
      this.domainEvents.record(
        em,
        'message.created',
        subjectOf(senderView),
        () => toPayload(senderView),
        traceparent,
      );
    const { conversation_id, pulled, type: kind } = first.sender;
    const type = 'message.created';
    if (pulled) {
      for (const { read, sender, senderView } of sent) {
        // Push knows from the message that its sender has read the conversation.
        if (read) this.events.append(em, [this.#toReadEvent(read, sender.user_id)]);
        this.events.appendToTopic(em, topicLog(conversation_id), {
          type,
          payload: { message: senderView, seq: sender.max_seq },
        });
      }
      return;
    }
    const recipients = members.map(({ user_id: userId, unread_count }) => ({ userId, unread_count }));
    const events: NewEvent[] = [];
    for (const { read, sender, senderView } of sent) {
      if (read) this.#broadcastRead(em, read);
      const { is_self: _, ...message } = senderView;
      const shared = { conversation_id, message: { ...message, client_msg_id: null } };
      for (const recipient of recipients) {
        const { userId } = recipient;
        const isSelf = userId === sender.user_id;
        recipient.unread_count = isSelf ? 0 : recipient.unread_count + 1;
        const { unread_count } = recipient;
        const ownMessage = isSelf ? SELF : OTHERS;
        const own = doesMention(senderView, userId)
          ? { message: ownMessage, mention_id: senderView.id, unread_count }
          : { message: ownMessage, unread_count };
        if (read && (isSelf || kind === 'single')) events.push(this.#toReadEvent(read, userId));
        // Only its sender sees the `client_msg_id` of a message.
        events.push(
          isSelf && senderView.client_msg_id !== null
            ? { userId, type, payload: { conversation_id, ...own, message: senderView } }
            : toSharedEvent({ userId, type, shared, own }),
        );
      }
    }
    this.events.append(em, events);
  }

  /**
   * `message.recalled`, to members who can see the message.
   * @param message the recalled message, without its content but with the mentions that it had
   * @param asSender the recalled message as its sender sees it
   */
  async recalled(
    em: EntityManager,
    { conversation_id, pulled }: Membership,
    message: MessageRow,
    asSender: MessageView,
  ): Promise<void> {
    this.domainEvents.record(em, 'message.recalled', subjectOf(message), () => toPayload(message));
    const type = 'message.recalled';
    const { seq, sender_id, mentions, mention_all } = message;
    const mentioned = { mentions, mention_all };
    if (pulled)
      return this.events.appendToTopic(em, topicLog(conversation_id), {
        type,
        payload: { message: asSender, seq, mentioned },
      });
    await lockReadPositions(em, conversation_id);
    const conversations = await this.views.allOf(em, conversation_id);
    this.events.append(
      em,
      (await readsOf(em, conversation_id, seq)).flatMap((read) => {
        const userId = read.user_id;
        const conversation = conversations.get(userId);
        if (conversation === undefined) return [];
        const { common, settings, hasDefaultSettings, personal } = splitConversation(conversation);
        const mention = doesMention({ ...mentioned, sender_id }, userId)
          ? { mention_id: personal.mention_id }
          : {};
        const view = recalledFor(read, asSender, this.time);
        const last = { message: view, ...mention, unread_count: personal.unread_count };
        return hasDefaultSettings
          ? toSharedEvent({
              userId,
              type,
              shared: { conversation_id, conversation: { ...common, ...settings } },
              own: { conversation: personal, ...last },
            })
          : toSharedEvent({
              userId,
              type,
              shared: { conversation_id, conversation: common },
              own: { conversation: { ...personal, ...settings }, ...last },
            });
      }),
    );
  }

  /** `conversation.read`, to the reader and the peer of a single chat; ephemeral to other members of a small group. */
  read(em: EntityManager, receipt: ReadReceipt): void {
    const { conversation_id, user_id, peer_id } = receipt.membership;
    const recipients = peer_id === null ? [user_id] : [user_id, peer_id];
    this.domainEvents.record(em, 'conversation.read', `conversation:${conversation_id}`, () => ({
      user_id,
      conversation_id,
    }));
    this.events.append(
      em,
      recipients.map((userId) => this.#toReadEvent(receipt, userId)),
    );
    this.#broadcastRead(em, receipt);
  }

  #toReadEvent(receipt: ReadReceipt, userId: number): NewEvent {
    return { userId, type: 'conversation.read', payload: this.#readPayload(receipt, userId) };
  }

  /** Returns the payload for a user; without `userId`, for a user other than the reader. */
  #readPayload(
    { membership, up_to_message_id, read_at, ...counts }: ReadReceipt,
    userId?: number,
  ): ReadEvent {
    const { conversation_id, user_id } = membership;
    const isReader = userId === user_id;
    return {
      conversation_id,
      user_id,
      up_to_message_id,
      read_at: this.time.dateTime(read_at),
      unread_count: isReader ? counts.unread_count : null,
      mention_id: isReader ? counts.mention_id : null,
    };
  }

  /** Broadcasts the read position to the other members of a small group. In a single chat it is in the peer's log. */
  #broadcastRead(em: EntityManager, receipt: ReadReceipt): void {
    const { type, pulled } = receipt.membership;
    if (type === 'group' && !pulled) this.liveReads.publish(em, this.#readPayload(receipt));
  }
}

const subjectOf = ({ id }: SharedMessage): string => `message:${id}`;

const toPayload = (message: SharedMessage): MessagePayload => ({
  message_id: message.id,
  conversation_id: message.conversation_id,
  sender_id: message.sender_id,
  message_type: message.type,
  content: message.content,
  extra: message.extra,
});
