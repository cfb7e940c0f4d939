import type { OutboxEvent } from '../../outbox/outbox-event';
import type { DomainEventPayloads } from '../../outbox/domain-event-types';

/* Derives the changes of the queue from a page of domain events. Pure. */

/** A call that rings. */
export interface PlannedRing {
  callId: number;
  calleeId: number;
  expiresAt: Date;
  at: Date;
}

/** New messages of a conversation. */
export interface PlannedMessages {
  senderIds: Set<number>;
  /** Id and time of the first event. */
  eventId: string;
  at: Date;
}

/** A notification that was added to the inbox of a user. */
export interface PlannedNotification {
  userId: number;
  notificationId: number;
  at: Date;
}

export interface PushPlan {
  rings: PlannedRing[];
  /** Topics of calls that were answered or are over. */
  endedCalls: string[];
  /** By the id of the conversation. */
  messages: Map<number, PlannedMessages>;
  notifications: PlannedNotification[];
  /** Broadcasts, whose audience is not in the event. */
  broadcasts: { eventId: string; at: Date }[];
  /** Objects that users have seen, by user and topic. */
  seen: Map<string, { userId: number; topic: string }>;
  /** Users who have seen all notifications, or all of one type. */
  seenNotifications: Set<number>;
  /** Topics of conversations in which a message was recalled. */
  recalled: string[];
}

export const callTopic = (id: number): string => `call:${id}`;
export const conversationTopic = (id: number): string => `conversation:${id}`;
export const notificationTopic = (id: number): string => `notification:${id}`;

/** Returns the id of the object of a topic. */
export const idOfTopic = (topic: string): number => Number(topic.slice(topic.indexOf(':') + 1));

/**
 * Returns what follows from domain events.
 * @param notBefore notifications that are older are not pushed: an inbox that was not opened for long materialises old
 *   broadcasts
 */
export function planOf(events: readonly OutboxEvent[], notBefore: Date): PushPlan {
  const plan: PushPlan = {
    rings: [],
    endedCalls: [],
    messages: new Map(),
    notifications: [],
    broadcasts: [],
    seen: new Map(),
    seenNotifications: new Set(),
    recalled: [],
  };
  for (const event of events) addEvent(plan, event, notBefore);
  return plan;
}

function addEvent(plan: PushPlan, event: OutboxEvent, notBefore: Date): void {
  const { type, at, eventId } = event;
  switch (type) {
    case 'call.created': {
      const { call } = payloadOf(event, type);
      const { call_id: callId, callee, ring_expires_at } = call;
      plan.rings.push({ callId, calleeId: callee.id, expiresAt: new Date(ring_expires_at), at });
      return;
    }
    case 'call.answered':
    case 'call.ended':
      plan.endedCalls.push(callTopic(payloadOf(event, type).call.call_id));
      return;
    case 'message.created':
      addMessage(plan, event, payloadOf(event, type));
      return;
    case 'message.recalled':
      plan.recalled.push(conversationTopic(payloadOf(event, type).conversation_id));
      return;
    case 'conversation.read': {
      const { user_id, conversation_id } = payloadOf(event, type);
      addSeen(plan, user_id, conversationTopic(conversation_id));
      return;
    }
    case 'notification.added':
      for (const { user_id, notification_id, created_at } of payloadOf(event, type).added)
        if (new Date(created_at) >= notBefore)
          plan.notifications.push({ userId: user_id, notificationId: notification_id, at });
      return;
    case 'notification.seen': {
      const { user_id, notification_id } = payloadOf(event, type);
      if (notification_id === null) plan.seenNotifications.add(user_id);
      else addSeen(plan, user_id, notificationTopic(notification_id));
      return;
    }
    case 'notification.sent':
      // Named users have an event of their own.
      if (payloadOf(event, type).audience !== 'users') plan.broadcasts.push({ eventId, at });
      return;
    default:
  }
}

function addMessage(
  plan: PushPlan,
  { eventId, at }: OutboxEvent,
  { conversation_id: conversationId, sender_id: senderId }: DomainEventPayloads['message.created'],
): void {
  const planned = plan.messages.get(conversationId) ?? { senderIds: new Set(), eventId, at };
  planned.senderIds.add(senderId);
  plan.messages.set(conversationId, planned);
  // Sending reads the conversation on all terminals of the sender.
  addSeen(plan, senderId, conversationTopic(conversationId));
}

function addSeen({ seen }: PushPlan, userId: number, topic: string): void {
  seen.set(`${userId} ${topic}`, { userId, topic });
}

const payloadOf = <Type extends keyof DomainEventPayloads>(
  { payload }: OutboxEvent,
  _type: Type,
): DomainEventPayloads[Type] => JSON.parse(payload) as DomainEventPayloads[Type];
