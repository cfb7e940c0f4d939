import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ConversationId } from '../../common/ids';
import { EventsService } from '../../events/events.service';
import { type NewEvent, type NewTopicEvent, toSharedEvent } from '../../events/log/event';
import { topicLog } from '../../events/log/log-id';
import { ConversationViews } from '../views/conversation.views';
import { asDeleted } from '../views/message-marks.views';
import { ConversationDomainEvents } from './conversation-domain-events';
import { viewForRecipient, splitConversation, UPDATED } from './group-event';
import type { MessageView, ReadEvent } from './event-payloads';
import { ReadReceiptBroadcaster } from './read-receipt-broadcaster';
import type { ConversationEntity } from '../entities/conversation.entity';
import { lockReadPositions } from '../store/members.store';
import { conversationById, FAN_OUT_ON_WRITE_LIMIT } from '../store/membership-changes.store';
import { LocalTime } from '../rules/local-time.rules';
import type { Membership } from '../store/membership.store';
import type { MessageRow } from '../store/message.store';
import { readsOf } from '../store/readers.store';
import { doesMention } from '../rules/mentions.rules';
import type { MemberState } from '../rules/send-batch.rules';

/* Own parts of a message. The log compares them by identity first, once per member and message. */
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

/** A sent message: the sender's membership after it, the sender's view of it, and what the sender reads by sending. */
export interface SentMessage {
  sender: Membership;
  senderView: MessageView;
  read: ReadReceipt | undefined;
  /** Trace of the request that sent it. */
  traceparent: string | undefined;
}

/**
 * Appends the events of a conversation to its members' logs, in the transaction that causes them (API 13). In a
 * group that is fanned out on read, an event is written once, to the group's topic; `LargeGroupEvents` builds the view
 * of each connected member.
 */
@Injectable()
export class ConversationEvents {
  constructor(
    private readonly events: EventsService,
    private readonly views: ConversationViews,
    private readonly time: LocalTime,
    private readonly liveReads: ReadReceiptBroadcaster,
    private readonly domainEvents: ConversationDomainEvents,
  ) {}

  /**
   * `message.created` for messages that are sent together, and before each, `conversation.read` if its sender had
   * unread messages.
   * @param members their state before the first message
   */
  sent(em: EntityManager, sent: SentMessage[], members: MemberState[]): void {
    const [first] = sent;
    if (first === undefined) return;
    for (const { senderView, traceparent } of sent) this.domainEvents.sent(em, senderView, traceparent);
    const { conversation_id, pulled, type: kind } = first.sender;
    const type = 'message.created';
    if (pulled) {
      for (const { read, sender, senderView } of sent) {
        if (read) this.read(em, read);
        this.#appendToTopic(em, conversation_id, {
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

  /** `conversation.updated`, to members who had hidden the conversation until the next message. */
  async unhidden(em: EntityManager, conversationId: number, userIds: number[]): Promise<void> {
    await this.#updated(em, conversationId, userIds);
  }

  /**
   * `message.recalled`, to members who can see the message.
   * @param message the recalled message, without its content but with the mentions that it had
   * @param asSender the recalled message as its sender sees it
   */
  async recalled(
    em: EntityManager,
    { conversation_id, user_id, pulled }: Membership,
    message: MessageRow,
    asSender: MessageView,
  ): Promise<void> {
    this.domainEvents.recalled(em, message);
    const type = 'message.recalled';
    const { seq, sender_id, mentions, mention_all } = message;
    const mentioned = { mentions, mention_all };
    if (pulled)
      return this.#appendToTopic(em, conversation_id, {
        type,
        payload: { message: asSender, seq, mentioned },
      });
    await lockReadPositions(em, conversation_id);
    const conversations = await this.views.allOf(em, conversation_id);
    this.events.append(
      em,
      (await readsOf(em, conversation_id, seq)).flatMap(({ user_id: userId, read_at, is_deleted }) => {
        const conversation = conversations.get(userId);
        if (conversation === undefined) return [];
        const received = userId === user_id ? asSender : viewForRecipient(asSender, read_at, this.time);
        const view = is_deleted ? asDeleted(received, this.time.catalogue) : received;
        const { common, settings, hasDefaultSettings, personal } = splitConversation(conversation);
        const mention = doesMention({ ...mentioned, sender_id }, userId)
          ? { mention_id: personal.mention_id }
          : {};
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
    const { user_id, peer_id } = receipt.membership;
    const recipients = peer_id === null ? [user_id] : [user_id, peer_id];
    this.domainEvents.read(em, user_id, receipt.membership.conversation_id);
    this.events.append(
      em,
      recipients.map((userId) => this.#toReadEvent(receipt, userId)),
    );
    this.#broadcastRead(em, receipt);
  }

  /** `conversation.updated`, to every member. */
  async updated(em: EntityManager, id: ConversationId): Promise<void> {
    const { pulled } = await conversationById(em, id);
    if (pulled) return this.#appendToTopic(em, id, { type: UPDATED, payload: {} });
    await lockReadPositions(em, id);
    await this.#updated(em, id);
  }

  /** `conversation.updated`, to the member whose settings have changed. */
  async settingsChanged(em: EntityManager, userId: number, conversationId: number): Promise<void> {
    await this.#updated(em, conversationId, [userId]);
  }

  /** `conversation.updated`, to the members of a new conversation. @param memberIds the creator first */
  async created(
    em: EntityManager,
    conversation: ConversationEntity,
    memberIds: readonly number[],
  ): Promise<void> {
    this.domainEvents.created(em, conversation, memberIds);
    await this.joined(em, conversation);
  }

  /**
   * `conversation.updated`, after members were added. The new members get it in their own logs in a large group too,
   * since they do not receive events of its topic up to this one.
   * @param before the conversation before the change, read under its lock
   * @param newMemberIds empty for a new conversation
   */
  async joined(em: EntityManager, before: ConversationEntity, newMemberIds: number[] = []): Promise<void> {
    if (before.pulled) {
      await this.#updated(em, before.id, newMemberIds);
      return this.#appendToTopic(em, before.id, { type: UPDATED, payload: {} });
    }
    await lockReadPositions(em, before.id);
    const count = await this.#updated(em, before.id);
    // The new members make it a large group, whose next events go to its topic: connected members must subscribe to it.
    if (count > FAN_OUT_ON_WRITE_LIMIT) this.events.notifyTopic(em, topicLog(before.id));
  }

  /**
   * Returns the topic position after which members who join now receive the group's topic: the number of the event of
   * their joining, which they get in their own logs. 0 in a small group, which has no topic.
   */
  async eventsAfterSeqOfJoining(em: EntityManager, { id, pulled }: ConversationEntity): Promise<number> {
    return pulled ? (await this.events.topicCursorOf(em, topicLog(id))) + 1 : 0;
  }

  /** `conversation.left`, to users who are no longer members. */
  left(em: EntityManager, userIds: readonly number[], conversation_id: number): void {
    const event = { type: 'conversation.left', payload: { conversation_id } } as const;
    this.events.append(
      em,
      userIds.map((userId) => ({ userId, ...event })),
    );
  }

  /** `conversation.updated`, to all members or to `userIds`. @returns the number of recipients */
  async #updated(em: EntityManager, conversationId: number, userIds?: number[]): Promise<number> {
    const conversations = await this.views.allOf(em, conversationId, userIds);
    this.events.append(
      em,
      Array.from(conversations, ([userId, conversation]) => {
        const { common, settings, hasDefaultSettings, personal } = splitConversation(conversation);
        const { mute_until: _, ...topLevel } = settings;
        return hasDefaultSettings
          ? toSharedEvent({
              userId,
              type: UPDATED,
              shared: { ...topLevel, conversation: { ...common, ...settings } },
              own: { conversation: personal },
            })
          : toSharedEvent({
              userId,
              type: UPDATED,
              shared: { conversation: common },
              own: { conversation: { ...personal, ...settings }, ...topLevel },
            });
      }),
    );
    return conversations.size;
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

  #appendToTopic(em: EntityManager, conversationId: number, event: NewTopicEvent): void {
    this.events.appendToTopic(em, topicLog(conversationId), event);
  }
}
