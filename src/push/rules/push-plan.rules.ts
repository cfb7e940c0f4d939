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
  conversationId: number;
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

/** An object that a user has seen; `topic` null: all notifications, or all of one type. */
export interface SeenTopic {
  userId: number;
  topic: string | null;
}

export interface PushPlan {
  rings: PlannedRing[];
  /** Topics of calls that were answered or are over. */
  endedCalls: string[];
  messages: PlannedMessages[];
  notifications: PlannedNotification[];
  /** Broadcasts, whose audience is not in the event. */
  broadcasts: { eventId: string; at: Date }[];
  seen: SeenTopic[];
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
    messages: [],
    notifications: [],
    broadcasts: [],
    seen: [],
    recalled: [],
  };
  const messages = new Map<number, PlannedMessages>();
  for (const event of events) addEvent(plan, messages, { event, notBefore });
  return { ...plan, messages: [...messages.values()] };
}

function addEvent(
  plan: PushPlan,
  messages: Map<number, PlannedMessages>,
  { event, notBefore }: { event: OutboxEvent; notBefore: Date },
): void {
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
      addMessage(plan, messages, { event, payload: payloadOf(event, type) });
      return;
    case 'message.recalled':
      plan.recalled.push(conversationTopic(payloadOf(event, type).conversation_id));
      return;
    case 'conversation.read': {
      const { user_id, conversation_id } = payloadOf(event, type);
      plan.seen.push({ userId: user_id, topic: conversationTopic(conversation_id) });
      return;
    }
    case 'notification.added':
      for (const { user_id, notification_id, created_at } of payloadOf(event, type).added)
        if (new Date(created_at) >= notBefore)
          plan.notifications.push({ userId: user_id, notificationId: notification_id, at });
      return;
    case 'notification.seen': {
      const { user_id, notification_id } = payloadOf(event, type);
      const topic = notification_id === null ? null : notificationTopic(notification_id);
      plan.seen.push({ userId: user_id, topic });
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
  messages: Map<number, PlannedMessages>,
  { event, payload }: { event: OutboxEvent; payload: DomainEventPayloads['message.created'] },
): void {
  const { conversation_id: conversationId, sender_id: senderId } = payload;
  const { eventId, at } = event;
  const planned = messages.get(conversationId) ?? { conversationId, senderIds: new Set(), eventId, at };
  planned.senderIds.add(senderId);
  messages.set(conversationId, planned);
  // Sending reads the conversation on all terminals of the sender.
  plan.seen.push({ userId: senderId, topic: conversationTopic(conversationId) });
}

const payloadOf = <Type extends keyof DomainEventPayloads>(
  { payload }: OutboxEvent,
  _type: Type,
): DomainEventPayloads[Type] => JSON.parse(payload) as DomainEventPayloads[Type];
