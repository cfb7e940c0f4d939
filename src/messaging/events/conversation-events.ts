import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ConversationId } from '../../common/ids';
import { EventsService } from '../../events/events.service';
import type { NewEvent, NewTopicEvent } from '../../events/log/event';
import { topicLog } from '../../events/log/log-id';
import { AlikeEvents } from '../../events/log/split-payload';
import { ConversationViews } from '../views/conversation-views';
import { asDeleted } from '../views/message-marks';
import { ConversationActs } from './conversation-acts';
import { asReceived, partsOf, type SeenMessage, UPDATED } from './group-event';
import type { ReadEvent } from './event-payloads';
import { LiveReads } from './live-reads';
import { ConversationMemberEntity } from '../entities/conversation-member.entity';
import { ConversationEntity } from '../entities/conversation.entity';
import { FAN_OUT_ON_WRITE_LIMIT } from '../store/membership-changes';
import { LocalTime } from '../rules/local-time';
import type { Membership } from '../store/membership';
import type { Message } from '../store/message.queries';
import { readsOf } from '../store/readers.queries';
import { doesMention } from '../rules/mentions';
import { type MemberState, runsFor } from '../rules/send-batch';

/** The field of the payloads that most of what members share stands in. */
const NAME = 'conversation';

/** A member's position that has moved: the messages that it passed, and when. */
export interface Advance {
  membership: Pick<Membership, 'conversation_id' | 'user_id' | 'type' | 'peer_id' | 'pulled'>;
  /** Null when the member sees no message. */
  up_to_message_id: number | null;
  /** What is left. */
  unread_count: number;
  /** Of that, the newest that mentions the member. */
  mention_id: number | null;
  read_at: Date;
}

/** A message that is sent: as its sender stands then and sees it, and what the sender has read with it. */
export interface SentMessage {
  sender: Membership;
  asSent: SeenMessage;
  read: Advance | undefined;
}

/**
 * Writes for the members of a conversation what happens in it, in the transaction in which it happens (contract 7). In a
 * group above the push limit it is written once, not per member: `LargeGroupEvents` publishes it to those who listen.
 */
@Injectable()
export class ConversationEvents {
  constructor(
    private readonly events: EventsService,
    private readonly views: ConversationViews,
    private readonly time: LocalTime,
    private readonly liveReads: LiveReads,
    private readonly acts: ConversationActs,
  ) {}

  /**
   * `message.created` of messages that are sent together, and before each, when its sender had something unread,
   * `conversation.read`.
   * @param members as they stood before the first of them
   */
  sent(em: EntityManager, sent: SentMessage[], members: MemberState[]): void {
    const [first] = sent;
    if (first === undefined) return;
    for (const { asSent } of sent) this.acts.sent(em, asSent);
    const { conversation_id, pulled, type: kind } = first.sender;
    const type = 'message.created';
    if (pulled) {
      for (const { read, sender, asSent } of sent) {
        if (read) this.read(em, read);
        this.#toGroup(em, conversation_id, { type, payload: { message: asSent, seq: sender.max_seq } });
      }
      return;
    }
    const senders = sent.map(({ sender }) => sender.user_id);
    const messages = sent.map(({ asSent }) => {
      const { is_self: _, ...message } = asSent;
      return { ...message, client_msg_id: null };
    });
    for (const { read } of sent) if (read) this.#readLive(em, read);
    const alike = new AlikeEvents(type, { conversation_id }, 'message', ...messages);
    for (const member of members) {
      const { user_id } = member;
      const readTold = (index: number): Advance | undefined =>
        kind === 'single' || senders[index] === user_id ? sent[index]?.read : undefined;
      const owns = sent.map(({ asSent }) => ownPart(asSent, user_id));
      const isCut = (index: number): boolean =>
        readTold(index) !== undefined || isOther(owns[index], owns[index - 1]);
      for (const { line, length, isSelf, unread_count } of runsFor(member, senders, isCut)) {
        const read = readTold(line);
        if (read) this.events.append(em, [this.#read(read, user_id)]);
        const { named, mention } = owns[line] as OwnPart;
        const last = { ...mention, unread_count };
        this.events.append(em, [
          named === undefined
            ? alike.run(user_id, { line, length }, { is_self: isSelf }, last, { counts: !isSelf })
            : { userId: user_id, type, payload: { conversation_id, message: named, ...last } },
        ]);
      }
    }
  }

  /** `conversation.updated`, to members who had hidden it until the next message. */
  async unhidden(em: EntityManager, conversationId: number, userIds: number[]): Promise<void> {
    await this.#updated(em, conversationId, userIds);
  }

  /**
   * `message.recalled`, to those who can see the message.
   * @param message without what it said, but as it was as far as it mentions anybody
   * @param asSender as its sender sees it now
   */
  async recalled(
    em: EntityManager,
    { conversation_id, user_id, pulled }: Membership,
    message: Message,
    asSender: SeenMessage,
  ): Promise<void> {
    this.acts.recalled(em, message);
    const type = 'message.recalled';
    const { seq, sender_id, mentions, mention_all } = message;
    const mentioned = { mentions, mention_all };
    if (pulled)
      return this.#toGroup(em, conversation_id, { type, payload: { message: asSender, seq, mentioned } });
    await holdMembers(em, conversation_id);
    const seen = await this.views.allOf(em, conversation_id);
    this.events.append(
      em,
      (await readsOf(em, conversation_id, seq)).flatMap(({ user_id: userId, read_at, is_deleted }) => {
        const conversation = seen.get(userId);
        if (conversation === undefined) return [];
        const received = userId === user_id ? asSender : asReceived(asSender, read_at, this.time);
        const seenMessage = is_deleted ? asDeleted(received, this.time.words) : received;
        const { alike, settings, isUsual, own } = partsOf(conversation);
        const mention = doesMention({ ...mentioned, sender_id }, userId)
          ? { mention_id: own.mention_id }
          : {};
        const last = { message: seenMessage, ...mention, unread_count: own.unread_count };
        const first = { conversation_id };
        return isUsual
          ? [new AlikeEvents(type, first, NAME, { ...alike, ...settings }).to(userId, own, last)]
          : [new AlikeEvents(type, first, NAME, alike).to(userId, { ...own, ...settings }, last)];
      }),
    );
  }

  /** `conversation.read`, to the reader and, in a single chat, to the peer; in small groups others hear it live. */
  read(em: EntityManager, advance: Advance): void {
    const { user_id, peer_id } = advance.membership;
    const told = peer_id === null ? [user_id] : [user_id, peer_id];
    this.events.append(
      em,
      told.map((userId) => this.#read(advance, userId)),
    );
    this.#readLive(em, advance);
  }

  /** `conversation.updated`, to every member. */
  async updated(em: EntityManager, id: ConversationId): Promise<void> {
    const { pulled } = await em.findOneByOrFail(ConversationEntity, { id });
    if (pulled) return this.#toGroup(em, id, { type: UPDATED, payload: {} });
    await holdMembers(em, id);
    await this.#updated(em, id);
  }

  /** `conversation.updated`, to one member alone, whose settings have changed. */
  async settingsChanged(em: EntityManager, userId: number, conversationId: number): Promise<void> {
    await this.#updated(em, conversationId, [userId]);
  }

  /** `conversation.updated`, to the members of a new conversation, the one who made it first. */
  async begun(
    em: EntityManager,
    conversation: ConversationEntity,
    memberIds: readonly number[],
  ): Promise<void> {
    this.acts.begun(em, conversation, memberIds);
    await this.joined(em, conversation);
  }

  /**
   * `conversation.updated`, when members have come in. These get it in any group, since nothing else would tell them.
   * @param before the conversation as it was before, read under its lock
   */
  async joined(em: EntityManager, before: ConversationEntity, newcomers: number[] = []): Promise<void> {
    if (before.pulled) {
      await this.#updated(em, before.id, newcomers);
      return this.#toGroup(em, before.id, { type: UPDATED, payload: {} });
    }
    await holdMembers(em, before.id);
    const count = await this.#updated(em, before.id);
    // With these it has outgrown being pushed: what it says next, it says as a topic.
    if (count > FAN_OUT_ON_WRITE_LIMIT) this.events.announceTopic(em, topicLog(before.id));
  }

  /** The number after which those who join a group now hear its topic: that of their joining, which reaches them itself. */
  async eventsAfterSeqOfJoining(em: EntityManager, { id, pulled }: ConversationEntity): Promise<number> {
    return pulled ? (await this.events.topicCursorOf(em, topicLog(id))) + 1 : 0;
  }

  /** `conversation.left`, to those who are no longer members. */
  left(em: EntityManager, userIds: readonly number[], conversation_id: number): void {
    const event = { type: 'conversation.left', payload: { conversation_id } } as const;
    this.events.append(
      em,
      userIds.map((userId) => ({ userId, ...event })),
    );
  }

  /** `conversation.updated`, to all members or to some; answers how many they were. */
  async #updated(em: EntityManager, conversationId: number, userIds?: number[]): Promise<number> {
    const seen = await this.views.allOf(em, conversationId, userIds);
    this.events.append(
      em,
      Array.from(seen, ([userId, conversation]) => {
        const { alike, settings, isUsual, own } = partsOf(conversation);
        const { mute_until: _, ...outside } = settings;
        return isUsual
          ? new AlikeEvents(UPDATED, outside, NAME, { ...alike, ...settings }).to(userId, own, {})
          : new AlikeEvents(UPDATED, {}, NAME, alike).to(userId, { ...own, ...settings }, outside);
      }),
    );
    return seen.size;
  }

  #read(advance: Advance, userId: number): NewEvent {
    return { userId, type: 'conversation.read', payload: this.#readPayload(advance, userId) };
  }

  /** As a user sees it; as somebody else does where none is named. */
  #readPayload({ membership, up_to_message_id, read_at, ...left }: Advance, userId?: number): ReadEvent {
    const { conversation_id, user_id } = membership;
    const isReader = userId === user_id;
    return {
      conversation_id,
      user_id,
      up_to_message_id,
      read_at: this.time.dateTime(read_at),
      unread_count: isReader ? left.unread_count : null,
      mention_id: isReader ? left.mention_id : null,
    };
  }

  /** Others in a small group hear it live; in a single chat the peer's log has it. */
  #readLive(em: EntityManager, advance: Advance): void {
    const { type, pulled } = advance.membership;
    if (type === 'group' && !pulled) this.liveReads.publish(em, this.#readPayload(advance));
  }

  #toGroup(em: EntityManager, conversationId: number, event: NewTopicEvent): void {
    this.events.appendToTopic(em, topicLog(conversationId), event);
  }
}

/** What of a new message is one member's alone. */
interface OwnPart {
  /** The member's own message that has a `client_msg_id`, which nobody else sees: it is written by itself. */
  named?: SeenMessage;
  /** Of one that mentions the member: it is the newest unread one that does. */
  mention?: { mention_id: number };
}

const ownPart = (asSent: SeenMessage, userId: number): OwnPart => ({
  named: asSent.sender_id === userId && asSent.client_msg_id !== null ? asSent : undefined,
  mention: doesMention(asSent, userId) ? { mention_id: asSent.id } : undefined,
});

/** Whether the second of two messages cannot be told in a run with the first. */
const isOther = (one: OwnPart = {}, other: OwnPart = {}): boolean =>
  one.named !== other.named || one.mention?.mention_id !== other.mention?.mention_id;

/**
 * Keeps the positions of a conversation's members where they are until the commit: what an event says of a count must
 * not be overtaken by an event that was written before it.
 */
async function holdMembers(em: EntityManager, conversation_id: number): Promise<void> {
  await em.update(ConversationMemberEntity, { conversation_id }, { read_seq: () => 'read_seq' });
}
