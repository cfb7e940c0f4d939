import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { inChunks } from '../../common/concurrency/chunks';
import type { LoggedEvent, UserEvent } from '../../events/log/event';
import { EventSources, type Follow, type EventView, type TopicSource } from '../../events/event-sources';
import { topicIdOf, type TopicLog, topicLog } from '../../events/log/log-id';
import { asReceived, type GroupEvent, UPDATED } from './group-event';
import { ConversationViews } from '../views/conversation-views';
import type { ConversationResponse } from '../dto/conversation.dto';
import { LocalTime } from '../rules/local-time';
import {
  awaitMembers,
  listeningMembers,
  type ListeningMember,
  fanOutOnReadGroupsOf,
} from '../store/members.queries';
import { readsOf } from '../store/readers.queries';

const ASKED_AT_ONCE = 5_000;

/** What decides how some members of a group see its events: how they stand to it now. */
interface Audience {
  states: Map<number, ListeningMember>;
  seen: Map<number, ConversationResponse>;
  /** By the number of a recalled message: who can see it, and since when each has read it. */
  reads: Map<number, Map<number, Date | null>>;
}

/**
 * What the members of large groups who listen hear of what happens there, as each of them sees it. It was written once
 * for all, by `ConversationEvents`; what it costs depends on those who listen, not on the other members.
 */
@Injectable()
export class LargeGroupEvents implements TopicSource, OnModuleInit {
  constructor(
    private readonly sources: EventSources,
    private readonly dataSource: DataSource,
    private readonly views: ConversationViews,
    private readonly time: LocalTime,
  ) {}

  onModuleInit(): void {
    this.sources.registerTopics(this);
  }

  async follows(userIds: number[]): Promise<Follow[]> {
    const follows: Follow[] = [];
    for (const some of inChunks(userIds, ASKED_AT_ONCE)) {
      for (const { user_id, conversation_id, hears_after } of await fanOutOnReadGroupsOf(
        this.dataSource.manager,
        some,
      ))
        follows.push({ userId: user_id, topic: topicLog(conversation_id), after: hears_after });
    }
    return follows;
  }

  async viewFor(topic: TopicLog, events: LoggedEvent[], userIds: number[]): Promise<EventView> {
    const conversation_id = topicIdOf(topic);
    const written = new Map(events.map(({ seq, payload }) => [seq, JSON.parse(payload) as GroupEvent]));
    const audience = await this.#audienceOf(conversation_id, events, written, userIds);
    return (userId, { seq, type }) => {
      const state = audience.states.get(userId);
      if (state === undefined) return undefined;
      if (seq <= state.hears_after) return [];
      const event = written.get(seq);
      if (type === UPDATED || event === undefined) return this.#updated(audience, userId);
      if (type === 'message.recalled') return this.#recalled(audience, userId, event);
      const { unread_count, hidden_seq } = state;
      const message = { ...event.message, is_self: event.message.sender_id === userId };
      const payload = { message, conversation_id, unread_count };
      const created: UserEvent = { type: 'message.created', payload };
      return hidden_seq === event.seq - 1 ? [created, ...this.#updated(audience, userId)] : [created];
    };
  }

  async #audienceOf(
    conversationId: number,
    events: LoggedEvent[],
    written: Map<number, GroupEvent>,
    userIds: number[],
  ): Promise<Audience> {
    const em = this.dataSource.manager;
    await awaitMembers(em, conversationId, userIds);
    const states = await listeningMembers(em, conversationId, userIds);
    const members = states.map(({ user_id }) => user_id);
    // Only those who had hidden the group need to see it for the sake of a message.
    const hidden = states.filter(({ hidden_seq }) => hidden_seq >= 0).map(({ user_id }) => user_id);
    const onlyMessages = events.every(({ type }) => type === 'message.created');
    const seen = await this.views.allOf(em, conversationId, onlyMessages ? hidden : members);
    const reads: Audience['reads'] = new Map();
    for (const { seq, type } of events) {
      const event = written.get(seq);
      if (type !== 'message.recalled' || event === undefined || members.length === 0) continue;
      const rows = await readsOf(em, conversationId, event.seq, members);
      reads.set(event.seq, new Map(rows.map(({ user_id, read_at }) => [user_id, read_at])));
    }
    return { states: new Map(states.map((state) => [state.user_id, state])), seen, reads };
  }

  #updated({ seen }: Audience, userId: number): UserEvent[] {
    const conversation = seen.get(userId);
    if (conversation === undefined) return [];
    const { pinned, muted, hidden } = conversation;
    return [{ type: UPDATED, payload: { conversation, pinned, muted, hidden } }];
  }

  #recalled({ seen, reads }: Audience, userId: number, { message: asSender, seq }: GroupEvent): UserEvent[] {
    const conversation = seen.get(userId);
    const readAt = reads.get(seq)?.get(userId);
    if (conversation === undefined || readAt === undefined) return [];
    const message = asSender.sender_id === userId ? asSender : asReceived(asSender, readAt, this.time);
    const { id: conversation_id, unread_count } = conversation;
    return [{ type: 'message.recalled', payload: { message, conversation_id, conversation, unread_count } }];
  }
}
