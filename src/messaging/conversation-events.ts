import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { EventsService } from '../events/events.service';
import { unreadCountsOf } from './conversation.queries';
import { ConversationViews } from './conversation-views.service';
import type { MessageResponse } from './dto/message.dto';
import { ConversationMemberEntity } from './entities/conversation-member.entity';
import { ConversationEntity } from './entities/conversation.entity';
import { LocalTime } from './local-time';
import { type Membership, peerIn } from './membership';
import type { Message } from './message.queries';
import { displayOf } from './message-display';
import { type MemberRead, readsOf } from './readers.queries';
import type { MemberState } from './sends';

/** A message as a member sees it, as plain fields. */
type SeenMessage = { [Field in keyof MessageResponse]: MessageResponse[Field] };

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
 * group above the push limit nothing is written per member: there, the conversation itself tells who missed something.
 */
@Injectable()
export class ConversationEvents {
  constructor(
    private readonly events: EventsService,
    private readonly views: ConversationViews,
    private readonly time: LocalTime,
  ) {}

  /** `message.created`; `asSent` is the message as its sender sees it, `members` how all stand once it is sent. */
  created(em: EntityManager, sender: Membership, asSent: SeenMessage, members: MemberState[]): void {
    if (sender.pulled) return;
    const { conversation_id } = sender;
    this.events.append(
      em,
      members.map(({ user_id: userId, unread_count }) => ({
        userId,
        type: 'message.created',
        payload: {
          message: { ...asSent, is_self: userId === sender.user_id },
          conversation_id,
          unread_count,
        },
      })),
    );
  }

  /** `message.recalled`, to those who can see the message; `asSender` is the message as its sender sees it. */
  async recalled(
    em: EntityManager,
    sender: Membership,
    message: Message,
    asSender: SeenMessage,
  ): Promise<void> {
    if (sender.pulled) return;
    const { conversation_id, user_id } = sender;
    await holdMembers(em, conversation_id);
    const unread = await unreadCountsOf(em, conversation_id);
    const reads = new Map(
      (await readsOf(em, conversation_id, message.seq)).map((read) => [read.user_id, read]),
    );
    this.events.append(
      em,
      Array.from(unread).flatMap(([userId, unread_count]) => {
        const read = reads.get(userId);
        if (read === undefined) return [];
        const seen = userId === user_id ? asSender : this.#asReceived(asSender, message, read);
        return [
          {
            userId,
            type: 'message.recalled',
            payload: { message: seen, conversation_id, unread_count },
          },
        ];
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

  /** `conversation.updated`, to every member, or to one alone whom a change concerns. */
  async updated(em: EntityManager, conversationId: number, onlyUserId?: number): Promise<void> {
    if (onlyUserId === undefined) {
      const { pulled } = await em.findOneByOrFail(ConversationEntity, { id: conversationId });
      if (pulled) return;
      await holdMembers(em, conversationId);
    }
    const seen = await this.views.allOf(em, conversationId, onlyUserId);
    this.events.append(
      em,
      Array.from(seen, ([userId, conversation]) => ({
        userId,
        type: 'conversation.updated',
        payload: { conversation },
      })),
    );
  }

  #asReceived(asSender: SeenMessage, message: Message, { read_at }: MemberRead): SeenMessage {
    const name = asSender.sender_name;
    return {
      ...asSender,
      is_self: false,
      display_content: displayOf(message, { is_self: false, name }),
      is_read: read_at !== null,
      read_at: read_at === null ? null : this.time.dateTime(read_at),
    };
  }
}

/**
 * Keeps the positions of a conversation's members where they are until the commit: what an event says of a count must
 * not be overtaken by an event that was written before it.
 */
async function holdMembers(em: EntityManager, conversation_id: number): Promise<void> {
  await em.update(ConversationMemberEntity, { conversation_id }, { read_seq: () => 'read_seq' });
}
