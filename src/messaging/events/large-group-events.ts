import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { inChunks } from '../../common/concurrency/chunks';
import type { LoggedEvent, UserEvent } from '../../events/log/event';
import { EventSources, type Follow, type EventView, type TopicSource } from '../../events/event-sources';
import { topicIdOf, type TopicLog, topicLog } from '../../events/log/log-id';
import {
  asReceived,
  type EditInGroup,
  type GroupEvent,
  type GroupReaction,
  type RecallInGroup,
  UPDATED,
} from './group-event';
import { ConversationViews } from '../views/conversation-views';
import { asDeleted } from '../views/message-marks';
import type { ConversationResponse } from '../dto/conversation.dto';
import { LocalTime } from '../rules/local-time';
import { doesMention, NO_MENTIONS } from '../rules/mentions';
import {
  awaitMembers,
  listeningMembers,
  type ListeningMember,
  fanOutOnReadGroupsOf,
} from '../store/members.queries';
import { viewersOf } from '../store/marks/visible-message';
import { type MemberRead, readsOf } from '../store/readers.queries';

const ASKED_AT_ONCE = 5_000;
/** They change nothing of a conversation that is not hidden but what they tell themselves. */
const MESSAGES_ALONE = new Set(['message.created', 'message.edited', 'message.reacted']);

/** What the log of a large group keeps of an event; of one that tells of the group alone, nothing. */
type Written = GroupEvent | RecallInGroup | EditInGroup | GroupReaction;

/** What decides how some members of a group see its events: how they stand to it now. */
interface Audience {
  states: Map<number, ListeningMember>;
  seen: Map<number, ConversationResponse>;
  /** By the number of a recalled message: who has it in the history, and what each has made of it. */
  reads: Map<number, Map<number, MemberRead>>;
  /** By the number of a message that some may have deleted for themselves: who sees it still. */
  viewers: Map<number, ReadonlySet<number>>;
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
    const written = new Map(events.map(({ seq, payload }) => [seq, JSON.parse(payload) as Written]));
    const audience = await this.#audienceOf(conversation_id, events, written, userIds);
    return (userId, { seq, type }) => {
      const state = audience.states.get(userId);
      if (state === undefined) return undefined;
      if (seq <= state.hears_after) return [];
      const event = written.get(seq);
      if (type === UPDATED || event === undefined) return this.#updated(audience, userId);
      const isSeen = sees(audience, state, event.seq);
      if ('edit' in event) return isSeen ? [{ type: 'message.edited', payload: event.edit }] : [];
      if ('reaction' in event) return isSeen ? [{ type: 'message.reacted', payload: event.reaction }] : [];
      if (type === 'message.recalled') return this.#recalled(audience, userId, event);
      return this.#created(audience, state, event);
    };
  }

  #created(audience: Audience, state: ListeningMember, { message: asSent, seq }: GroupEvent): UserEvent[] {
    const { user_id, unread_count, hidden_seq, cleared_seq, mention_id } = state;
    const isBack = hidden_seq === seq - 1;
    // What has been cleared or deleted since was told as such: it must not come back by this.
    if (cleared_seq >= seq) return isBack ? this.#updated(audience, user_id) : [];
    const is_self = asSent.sender_id === user_id;
    const own = { ...asSent, is_self, client_msg_id: is_self ? asSent.client_msg_id : null };
    const message = sees(audience, state, seq) ? own : asDeleted(own, this.time.words);
    // An instance of the version before tells of no mentions.
    const mention = doesMention({ ...NO_MENTIONS, ...asSent }, user_id) ? { mention_id } : {};
    const payload = { message, conversation_id: asSent.conversation_id, ...mention, unread_count };
    const created: UserEvent = { type: 'message.created', payload };
    return isBack ? [created, ...this.#updated(audience, user_id)] : [created];
  }

  async #audienceOf(
    conversationId: number,
    events: LoggedEvent[],
    written: Map<number, Written>,
    userIds: number[],
  ): Promise<Audience> {
    const em = this.dataSource.manager;
    await awaitMembers(em, conversationId, userIds);
    const states = await listeningMembers(em, conversationId, userIds);
    const members = states.map(({ user_id }) => user_id);
    // Only those who had hidden the group need to see it for the sake of a message.
    const hidden = states.filter(({ hidden_seq }) => hidden_seq >= 0).map(({ user_id }) => user_id);
    const onlyMessages = events.every(({ type }) => MESSAGES_ALONE.has(type));
    const seen = await this.views.allOf(em, conversationId, onlyMessages ? hidden : members);
    const reads: Audience['reads'] = new Map();
    for (const { seq, type } of events) {
      const event = written.get(seq);
      if (type !== 'message.recalled' || event === undefined || members.length === 0) continue;
      const rows = await readsOf(em, conversationId, event.seq, members);
      reads.set(event.seq, new Map(rows.map((row) => [row.user_id, row])));
    }
    const viewers: Audience['viewers'] = new Map();
    for (const seq of new Set(Array.from(written.values(), (event) => event.seq))) {
      // Messages of later updates have no number.
      if (states.some(({ last_deleted_seq }) => last_deleted_seq >= seq))
        viewers.set(seq, new Set(await viewersOf(em, conversationId, seq, members)));
    }
    return { states: new Map(states.map((state) => [state.user_id, state])), seen, reads, viewers };
  }

  #updated({ seen }: Audience, userId: number): UserEvent[] {
    const conversation = seen.get(userId);
    if (conversation === undefined) return [];
    const { pinned, muted, hidden } = conversation;
    return [{ type: UPDATED, payload: { conversation, pinned, muted, hidden } }];
  }

  #recalled({ seen, reads }: Audience, userId: number, event: RecallInGroup): UserEvent[] {
    const { message: asSender, seq, mentioned = NO_MENTIONS } = event;
    const { sender_id } = asSender;
    const conversation = seen.get(userId);
    const read = reads.get(seq)?.get(userId);
    if (conversation === undefined || read === undefined) return [];
    const received = sender_id === userId ? asSender : asReceived(asSender, read.read_at, this.time);
    const message = read.is_deleted ? asDeleted(received, this.time.words) : received;
    const { id: conversation_id, unread_count, mention_id } = conversation;
    const mention = doesMention({ ...mentioned, sender_id }, userId) ? { mention_id } : {};
    const payload = { message, conversation_id, conversation, ...mention, unread_count };
    return [{ type: 'message.recalled', payload }];
  }
}

/** Whether a member sees message number `seq` now. */
function sees(
  { viewers }: Audience,
  { user_id, join_seq, cleared_seq }: ListeningMember,
  seq: number,
): boolean {
  return join_seq <= seq && cleared_seq < seq && (viewers.get(seq)?.has(user_id) ?? true);
}
