import { Injectable, type OnModuleInit } from '@nestjs/common';
import { inChunks } from '../../common/concurrency/chunks';
import { Transactions } from '../../database/transactions';
import type { LoggedEvent, UserEvent } from '../../events/log/event';
import {
  EventSources,
  type TopicSubscription,
  type EventView,
  type TopicSource,
} from '../../events/event-sources';
import { topicIdOf, type TopicLog, topicLog } from '../../events/log/log-id';
import type { EditInGroup, GroupEvent, GroupReaction, RecallInGroup } from './event-payloads';
import { recalledFor, UPDATED } from './group-event';
import { ConversationViews } from '../views/conversation.views';
import { asDeleted } from '../views/message-marks.views';
import type { ConversationResponse } from '../dto/conversation.dto';
import { LocalTime } from '../rules/local-time.rules';
import { doesMention, NO_MENTIONS } from '../rules/mentions.rules';
import { displayOf } from '../rules/message-display.rules';
import {
  awaitMembers,
  listeningMembers,
  type ListeningMember,
  fanOutOnReadGroupsOf,
} from '../store/members.store';
import { viewersOf } from '../store/visible-message.store';
import { type MemberRead, readsOf } from '../store/readers.store';

const USER_BATCH_SIZE = 5_000;
/** Event types that are sent without `conversation.updated`, unless the member had hidden the conversation. */
const SELF_CONTAINED_TYPES = new Set(['message.created', 'message.edited', 'message.reacted']);

/** Payload of an event in the log of a large group; `conversation.updated` has an empty one instead. */
type TopicPayload = GroupEvent | RecallInGroup | EditInGroup | GroupReaction;

/** The current state of members of a group, which determines their views of its events. */
interface Audience {
  states: Map<number, ListeningMember>;
  conversations: Map<number, ConversationResponse>;
  /** By the number of a recalled message: members with it in their history, and whether they read or deleted it. */
  reads: Map<number, Map<number, MemberRead>>;
  /** By the number of a message that a member may have deleted in their view: members who still see it. */
  viewers: Map<number, ReadonlySet<number>>;
}

/**
 * Builds each connected member's view of the events of a large group, which `ConversationEvents` writes once for all.
 * The cost depends on the number of connected members, not on the size of the group.
 */
@Injectable()
export class LargeGroupEvents implements TopicSource, OnModuleInit {
  constructor(
    private readonly sources: EventSources,
    private readonly transactions: Transactions,
    private readonly views: ConversationViews,
    private readonly time: LocalTime,
  ) {}

  onModuleInit(): void {
    this.sources.registerTopics(this);
  }

  async subscriptionsOf(userIds: number[]): Promise<TopicSubscription[]> {
    const subscriptions: TopicSubscription[] = [];
    for (const chunk of inChunks(userIds, USER_BATCH_SIZE)) {
      for (const { user_id, conversation_id, hears_after } of await fanOutOnReadGroupsOf(
        this.transactions.read(),
        chunk,
      ))
        subscriptions.push({ userId: user_id, topic: topicLog(conversation_id), after: hears_after });
    }
    return subscriptions;
  }

  async viewFor(topic: TopicLog, events: LoggedEvent[], userIds: number[]): Promise<EventView> {
    const conversation_id = topicIdOf(topic);
    const payloads = new Map(events.map(({ seq, payload }) => [seq, JSON.parse(payload) as TopicPayload]));
    const audience = await this.#loadAudience(conversation_id, events, payloads, userIds);
    return (userId, { seq, type }) => {
      const state = audience.states.get(userId);
      if (state === undefined) return undefined;
      if (seq <= state.hears_after) return [];
      const event = payloads.get(seq);
      if (type === UPDATED || event === undefined) return this.#updated(audience, userId);
      const isVisible = canSee(audience, state, event.seq);
      if ('edit' in event) return isVisible ? [{ type: 'message.edited', payload: event.edit }] : [];
      if ('reaction' in event) return isVisible ? [{ type: 'message.reacted', payload: event.reaction }] : [];
      if (type === 'message.recalled') return this.#recalled(audience, userId, event);
      return this.#created(audience, state, event);
    };
  }

  #created(audience: Audience, state: ListeningMember, { message: asSent, seq }: GroupEvent): UserEvent[] {
    const { user_id, unread_count, hidden_seq, cleared_seq, mention_id } = state;
    const isUnhidden = hidden_seq === seq - 1;
    // The member has cleared the message since, and has received that event: this one must not bring it back. A message
    // that the member has deleted is replaced by its placeholder below.
    if (cleared_seq >= seq) return isUnhidden ? this.#updated(audience, user_id) : [];
    const is_self = asSent.sender_id === user_id;
    const view = {
      ...asSent,
      is_self,
      client_msg_id: is_self ? asSent.client_msg_id : null,
      // Differs between members if the message was recalled after the event was written.
      display_content: displayOf(asSent, { is_self, name: asSent.sender_name }, this.time.catalogue),
    };
    const message = canSee(audience, state, seq) ? view : asDeleted(view, this.time.catalogue);
    // Events of instances of the previous version have no mentions.
    const mention = doesMention({ ...NO_MENTIONS, ...asSent }, user_id) ? { mention_id } : {};
    const payload = { message, conversation_id: asSent.conversation_id, ...mention, unread_count };
    const created: UserEvent = { type: 'message.created', payload };
    return isUnhidden ? [created, ...this.#updated(audience, user_id)] : [created];
  }

  async #loadAudience(
    conversationId: number,
    events: LoggedEvent[],
    payloads: Map<number, TopicPayload>,
    userIds: number[],
  ): Promise<Audience> {
    const em = this.transactions.read();
    await awaitMembers(em, conversationId, userIds);
    const states = await listeningMembers(em, conversationId, userIds);
    const members = states.map(({ user_id }) => user_id);
    // Only members who had hidden the group receive the conversation with a message.
    const hidden = states.filter(({ hidden_seq }) => hidden_seq >= 0).map(({ user_id }) => user_id);
    const areSelfContained = events.every(({ type }) => SELF_CONTAINED_TYPES.has(type));
    const conversations = await this.views.allOf(em, conversationId, areSelfContained ? hidden : members);
    const reads: Audience['reads'] = new Map();
    for (const { seq, type } of events) {
      const event = payloads.get(seq);
      if (type !== 'message.recalled' || event === undefined || members.length === 0) continue;
      const rows = await readsOf(em, conversationId, event.seq, members);
      reads.set(event.seq, new Map(rows.map((row) => [row.user_id, row])));
    }
    const viewers: Audience['viewers'] = new Map();
    for (const seq of new Set(Array.from(payloads.values(), (event) => event.seq))) {
      // `conversation.updated` has no `seq`; the comparison is false then.
      if (states.some(({ last_deleted_seq }) => last_deleted_seq >= seq))
        viewers.set(seq, new Set(await viewersOf(em, conversationId, seq, members)));
    }
    return { states: new Map(states.map((state) => [state.user_id, state])), conversations, reads, viewers };
  }

  #updated({ conversations }: Audience, userId: number): UserEvent[] {
    const conversation = conversations.get(userId);
    if (conversation === undefined) return [];
    const { pinned, muted, hidden } = conversation;
    return [{ type: UPDATED, payload: { conversation, pinned, muted, hidden } }];
  }

  #recalled({ conversations, reads }: Audience, userId: number, event: RecallInGroup): UserEvent[] {
    const { message: asSender, seq, mentioned = NO_MENTIONS } = event;
    const conversation = conversations.get(userId);
    const read = reads.get(seq)?.get(userId);
    if (conversation === undefined || read === undefined) return [];
    const message = recalledFor(read, asSender, this.time);
    const { id: conversation_id, unread_count, mention_id } = conversation;
    const mention = doesMention({ ...mentioned, sender_id: asSender.sender_id }, userId)
      ? { mention_id }
      : {};
    const payload = { message, conversation_id, conversation, ...mention, unread_count };
    return [{ type: 'message.recalled', payload }];
  }
}

/** Whether a member currently sees message number `seq`. */
function canSee(
  { viewers }: Audience,
  { user_id, join_seq, cleared_seq }: ListeningMember,
  seq: number,
): boolean {
  return join_seq <= seq && cleared_seq < seq && (viewers.get(seq)?.has(user_id) ?? true);
}
