import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { EventsService } from '../events/events.service';
import { ConversationViews } from './conversation-views.service';
import { asReceived, type SeenMessage, topicOf, UPDATED } from './conversation-news';
import { ConversationMemberEntity } from './entities/conversation-member.entity';
import { ConversationEntity } from './entities/conversation.entity';
import { LocalTime } from './local-time';
import { type Membership, peerIn } from './membership';
import type { Message } from './message.queries';
import { readsOf } from './readers.queries';
import type { Standing } from './sends';

/** A member's position that has moved: the messages that it passed, and when. */
interface Advance {
  membership: Pick<Membership, 'conversation_id' | 'user_id' | 'single_key'>;
  /** Null when the member sees no message. */
  up_to_message_id: number | null;
  /** What is left. */
  unread_count: number;
  read_at: Date;
}

/**
 * Tells the members of a conversation what happens in it, in the transaction in which it happens (contract 7). In a
 * group above the push limit it is written once, not per member: `LargeGroupEvents` tells those who listen.
 */
@Injectable()
export class ConversationEvents {
  constructor(
    private readonly events: EventsService,
    private readonly views: ConversationViews,
    private readonly time: LocalTime,
  ) {}

  /** `message.created`; `asSent` is the message as its sender sees it, `members` how all stand once it is sent. */
  created(em: EntityManager, sender: Membership, asSent: SeenMessage, members: Standing[]): void {
    const { conversation_id, max_seq, pulled } = sender;
    const type = 'message.created';
    if (pulled) return this.#toGroup(em, conversation_id, type, { message: asSent, seq: max_seq });
    const toSender = JSON.stringify(asSent);
    const toOthers = JSON.stringify({ ...asSent, is_self: false });
    this.events.append(
      em,
      members.map(({ user_id: userId, unread_count }) => {
        const message = userId === sender.user_id ? toSender : toOthers;
        const payload = `{"message":${message},"conversation_id":${conversation_id},"unread_count":${unread_count}}`;
        return { userId, type, payload };
      }),
    );
  }

  /** `conversation.updated`, to members who had hidden it until the next message. */
  broughtBack(em: EntityManager, conversationId: number, userIds: number[]): Promise<void> {
    return this.#updated(em, conversationId, userIds);
  }

  /** `message.recalled`, to those who can see the message; `asSender` is the message as its sender sees it. */
  async recalled(
    em: EntityManager,
    { conversation_id, user_id, pulled }: Membership,
    { seq }: Message,
    asSender: SeenMessage,
  ): Promise<void> {
    const type = 'message.recalled';
    if (pulled) return this.#toGroup(em, conversation_id, type, { message: asSender, seq });
    await holdMembers(em, conversation_id);
    const seen = await this.views.allOf(em, conversation_id);
    this.events.append(
      em,
      (await readsOf(em, conversation_id, seq)).flatMap(({ user_id: userId, read_at }) => {
        const conversation = seen.get(userId)?.conversation;
        if (conversation === undefined) return [];
        const message = userId === user_id ? asSender : asReceived(asSender, read_at, this.time);
        const { unread_count } = conversation;
        return [{ userId, type, payload: { message, conversation_id, conversation, unread_count } }];
      }),
    );
  }

  /** `conversation.read`, to the reader and, in a single chat, to the peer. */
  read(em: EntityManager, { membership, up_to_message_id, unread_count, read_at }: Advance): void {
    const { conversation_id, user_id, single_key } = membership;
    const payload = { conversation_id, user_id, up_to_message_id, read_at: this.time.dateTime(read_at) };
    const peers = single_key === null ? [] : [peerIn(single_key, user_id)];
    this.events.append(
      em,
      [user_id, ...peers].map((userId) => ({
        userId,
        type: 'conversation.read',
        payload: { ...payload, unread_count: userId === user_id ? unread_count : null },
      })),
    );
  }

  /** `conversation.updated`, to every member. */
  async updated(em: EntityManager, id: number): Promise<void> {
    const { pulled } = await em.findOneByOrFail(ConversationEntity, { id });
    if (pulled) return this.#toGroup(em, id, UPDATED, {});
    await holdMembers(em, id);
    await this.#updated(em, id);
  }

  /** The same to one member alone, whose settings have changed. */
  settled(em: EntityManager, conversationId: number, userId: number): Promise<void> {
    return this.#updated(em, conversationId, [userId]);
  }

  /**
   * The same when members have come in. Those who do are told in any group, since nothing else would tell them.
   * @param before the conversation as it was before, read under its lock
   */
  async joined(em: EntityManager, before: ConversationEntity, newcomers: number[] = []): Promise<void> {
    if (before.pulled) {
      await this.#updated(em, before.id, newcomers);
      return this.#toGroup(em, before.id, UPDATED, {});
    }
    await holdMembers(em, before.id);
    await this.#updated(em, before.id);
  }

  /** The number after which those who join a group now hear its own events: that of their joining, told otherwise. */
  async hearsAfterJoining(em: EntityManager, { id, pulled }: ConversationEntity): Promise<number> {
    return pulled ? (await this.events.cursorOf(topicOf(id), em)) + 1 : 0;
  }

  /** `conversation.left`, to who is no longer a member. */
  left(em: EntityManager, conversation_id: number, userId: number): void {
    this.events.append(em, [{ userId, type: 'conversation.left', payload: { conversation_id } }]);
  }

  async #updated(em: EntityManager, conversationId: number, userIds?: number[]): Promise<void> {
    const seen = await this.views.allOf(em, conversationId, userIds);
    this.events.append(
      em,
      Array.from(seen, ([userId, payload]) => ({ userId, type: UPDATED, payload })),
    );
  }

  #toGroup(em: EntityManager, conversationId: number, type: string, payload: object): void {
    this.events.append(em, [{ userId: topicOf(conversationId), type, payload }]);
  }
}

/**
 * Keeps the positions of a conversation's members where they are until the commit: what an event says of a count must
 * not be overtaken by an event that was written before it.
 */
async function holdMembers(em: EntityManager, conversation_id: number): Promise<void> {
  await em.update(ConversationMemberEntity, { conversation_id }, { read_seq: () => 'read_seq' });
}
