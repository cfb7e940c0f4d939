import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ConversationId } from '../../common/ids';
import { EventsService } from '../../events/events.service';
import { toSharedEvent } from '../../events/log/event';
import { topicLog } from '../../events/log/log-id';
import { ConversationViews } from '../views/conversation.views';
import { DomainEvents } from '../../outbox/domain-events';
import { splitConversation, UPDATED } from './group-event';
import type { ConversationEntity, ConversationType } from '../entities/conversation.entity';
import { lockReadPositions } from '../store/members.store';
import { conversationById, FAN_OUT_ON_WRITE_LIMIT } from '../store/membership-changes.store';

/** Maximum number of `member_ids` in `conversation.created`. */
const MAX_MEMBER_IDS = 500;

declare module '../../outbox/domain-event-types' {
  interface DomainEventPayloads {
    'conversation.created': {
      conversation_id: number;
      conversation_type: ConversationType;
      /** Null in a single chat. */
      owner_id: number | null;
      /** In a group the owner first; at most 500. */
      member_ids: number[];
    };
  }
}

/**
 * Publishes changes of a conversation and of its members in the transaction that causes them: to the members' logs (API
 * 13), and its creation once as a domain event (API 14.7). In a group that is fanned out on read, an event is written
 * once, to the group's topic; `LargeGroupEvents` builds the view of each connected member.
 */
@Injectable()
export class ConversationEvents {
  constructor(
    private readonly events: EventsService,
    private readonly views: ConversationViews,
    private readonly domainEvents: DomainEvents,
  ) {}

  /** `conversation.updated`, to some members: their settings have changed, or a message has unhidden it. */
  async updatedFor(em: EntityManager, conversationId: number, userIds: number[]): Promise<void> {
    await this.#updated(em, conversationId, userIds);
  }

  /** `conversation.updated`, to every member. */
  async updated(em: EntityManager, id: ConversationId): Promise<void> {
    const { pulled } = await conversationById(em, id);
    if (pulled) return this.events.appendToTopic(em, topicLog(id), { type: UPDATED, payload: {} });
    await lockReadPositions(em, id);
    await this.#updated(em, id);
  }

  /** `conversation.updated`, to the members of a new conversation. @param memberIds the creator first */
  async created(
    em: EntityManager,
    conversation: ConversationEntity,
    memberIds: readonly number[],
  ): Promise<void> {
    const { id, type } = conversation;
    this.domainEvents.record(em, 'conversation.created', `conversation:${id}`, () => ({
      conversation_id: id,
      conversation_type: type,
      owner_id: type === 'group' ? (memberIds[0] ?? null) : null,
      member_ids: memberIds.slice(0, MAX_MEMBER_IDS),
    }));
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
      return this.events.appendToTopic(em, topicLog(before.id), { type: UPDATED, payload: {} });
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
}
