import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { EventsService } from '../../events/events.service';
import { type NewEvent, type NewTopicEvent, toSharedEvent } from '../../events/log/event';
import { topicLog } from '../../events/log/log-id';
import { DomainEvents } from '../../outbox/domain-events';
import type { Membership } from '../store/membership.store';
import { viewersOf } from '../store/visible-message.store';
import { ConversationViews } from '../views/conversation.views';
import type { EditEvent, ReactedEvent } from './event-payloads';

/** Publishes edits of messages, reactions to them, and what a member has deleted or cleared in their own view. */
@Injectable()
export class MarkEvents {
  constructor(
    private readonly events: EventsService,
    private readonly views: ConversationViews,
    private readonly domainEvents: DomainEvents,
  ) {}

  /** `message.edited`, to all members who see message number `seq`, in the transaction that edits it (API 8.12). */
  edited(em: EntityManager, membership: Membership, seq: number, edit: EditEvent): Promise<void> {
    const type = 'message.edited';
    const toEvent = (userId: number) => toSharedEvent({ userId, type, shared: edit, own: {} });
    return this.#publishToViewers(em, membership, seq, toEvent, { type, payload: { edit, seq } });
  }

  /** `message.reacted`, to all members who see message number `seq`. */
  reacted(em: EntityManager, membership: Membership, seq: number, reaction: ReactedEvent): Promise<void> {
    const type = 'message.reacted';
    const toEvent = (userId: number) => toSharedEvent({ userId, type, shared: reaction, own: {} });
    return this.#publishToViewers(em, membership, seq, toEvent, { type, payload: { reaction, seq } });
  }

  /**
   * `message.deleted`, to the member who has deleted the message in their own view. The domain event is the one of a
   * read, after which pushes of the message are removed from the member's terminals.
   */
  async deleted(
    em: EntityManager,
    { conversation_id, user_id }: Membership,
    message_id: number,
  ): Promise<void> {
    const conversation = await this.views.one(user_id, conversation_id, em);
    const payload = { conversation_id, message_id, conversation };
    this.events.append(em, [{ userId: user_id, type: 'message.deleted', payload }]);
    this.domainEvents.record(em, 'conversation.read', `conversation:${conversation_id}`, () => ({
      user_id,
      conversation_id,
    }));
  }

  /** `conversation.cleared`, to the member who has cleared the conversation. */
  async cleared(
    em: EntityManager,
    { conversation_id, user_id }: Membership,
    up_to_message_id: number | null,
  ): Promise<void> {
    const conversation = await this.views.one(user_id, conversation_id, em);
    const payload = { conversation_id, up_to_message_id, conversation };
    this.events.append(em, [{ userId: user_id, type: 'conversation.cleared', payload }]);
  }

  /** Publishes an event to the members who see message number `seq`, with the same payload for all. */
  async #publishToViewers(
    em: EntityManager,
    { conversation_id, pulled: fanOutOnRead }: Membership,
    seq: number,
    toEvent: (userId: number) => NewEvent,
    topicEvent: NewTopicEvent,
  ): Promise<void> {
    if (fanOutOnRead) return this.events.appendToTopic(em, topicLog(conversation_id), topicEvent);
    this.events.append(em, (await viewersOf(em, conversation_id, seq)).map(toEvent));
  }
}
