import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { LoggedEvent } from '../events/event';
import { EventSources, type Follow, type Tell, type TopicSource } from '../events/event-sources';
import { asReceived, conversationOf, type GroupNews, topicOf, UPDATED } from './conversation-news';
import { ConversationViews, type SeenConversation } from './conversation-views.service';
import { LocalTime } from './local-time';
import { awaitMembers, memberStates, type MemberState, pulledOf } from './members.queries';
import { readsOf } from './readers.queries';

const ASKED_AT_ONCE = 5_000;

/** What some members of a group are told from: how they stand to it now. */
interface Audience {
  states: Map<number, MemberState>;
  seen: Map<number, SeenConversation>;
  /** Of each recalled message, by number: who can see it, and since when each has read it. */
  reads: Map<number, Map<number, Date | null>>;
}

/**
 * Tells the members of large groups who listen what has happened there, as each of them sees it. It was written once
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
    this.sources.topics = this;
  }

  async follows(userIds: number[]): Promise<Follow[]> {
    const follows: Follow[] = [];
    for (let start = 0; start < userIds.length; start += ASKED_AT_ONCE) {
      const some = userIds.slice(start, start + ASKED_AT_ONCE);
      for (const { user_id, conversation_id, hears_after } of await pulledOf(this.dataSource.manager, some))
        follows.push({ userId: user_id, topic: topicOf(conversation_id), after: hears_after });
    }
    return follows;
  }

  async tell(topic: number, events: LoggedEvent[], userIds: number[]): Promise<Tell> {
    const conversation_id = conversationOf(topic);
    const news = new Map(events.map(({ seq, payload }) => [seq, JSON.parse(payload) as GroupNews]));
    const audience = await this.#audienceOf(conversation_id, events, news, userIds);
    return (userId, { seq, type }) => {
      const state = audience.states.get(userId);
      if (state === undefined) return undefined;
      if (seq <= state.hears_after) return [];
      const told = news.get(seq);
      if (type === UPDATED || told === undefined) return this.#updated(audience, userId);
      if (type === 'message.recalled') return this.#recalled(audience, userId, told);
      const { unread_count, hidden_seq } = state;
      const message = { ...told.message, is_self: told.message.sender_id === userId };
      const created = { type, payload: { message, conversation_id, unread_count } };
      return hidden_seq === told.seq - 1 ? [created, ...this.#updated(audience, userId)] : [created];
    };
  }

  async #audienceOf(
    conversationId: number,
    events: LoggedEvent[],
    news: Map<number, GroupNews>,
    userIds: number[],
  ): Promise<Audience> {
    const em = this.dataSource.manager;
    await awaitMembers(em, conversationId, userIds);
    const states = await memberStates(em, conversationId, userIds);
    const members = states.map(({ user_id }) => user_id);
    // Only those who had hidden the group need to see it for the sake of a message.
    const hidden = states.filter(({ hidden_seq }) => hidden_seq >= 0).map(({ user_id }) => user_id);
    const onlyMessages = events.every(({ type }) => type === 'message.created');
    const seen = await this.views.allOf(em, conversationId, onlyMessages ? hidden : members);
    const reads: Audience['reads'] = new Map();
    for (const event of events) {
      const told = news.get(event.seq);
      if (event.type !== 'message.recalled' || told === undefined || members.length === 0) continue;
      const rows = await readsOf(em, conversationId, told.seq, members);
      reads.set(told.seq, new Map(rows.map(({ user_id, read_at }) => [user_id, read_at])));
    }
    return { states: new Map(states.map((state) => [state.user_id, state])), seen, reads };
  }

  #updated({ seen }: Audience, userId: number): { type: string; payload: object }[] {
    const payload = seen.get(userId);
    return payload === undefined ? [] : [{ type: UPDATED, payload }];
  }

  #recalled({ seen, reads }: Audience, userId: number, { message: asSender, seq }: GroupNews) {
    const conversation = seen.get(userId)?.conversation;
    const readAt = reads.get(seq)?.get(userId);
    if (conversation === undefined || readAt === undefined) return [];
    const message = asSender.sender_id === userId ? asSender : asReceived(asSender, readAt, this.time);
    const { id: conversation_id, unread_count } = conversation;
    return [{ type: 'message.recalled', payload: { message, conversation_id, conversation, unread_count } }];
  }
}
