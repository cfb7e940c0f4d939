import type { CreateWebhookRequest } from '@callboard/client';

export type EventType = CreateWebhookRequest['event_types'][number];

/** Domain event types, by subject (API 14.7). */
export const EVENT_GROUPS = {
  calls: ['call.created', 'call.answered', 'call.ended'],
  messages: ['message.created', 'message.recalled', 'conversation.created'],
  notifications: ['notification.sent'],
  users: ['user.created', 'user.updated'],
  devices: ['device.created', 'device.updated', 'device.deleted', 'device.online', 'device.offline'],
} as const satisfies Record<string, readonly EventType[]>;
export type EventGroup = keyof typeof EVENT_GROUPS;

export const GROUP_NAMES = Object.keys(EVENT_GROUPS) as EventGroup[];

/** Event types of deliveries: also the test, which is sent on request. */
export const DELIVERED_TYPES = [...Object.values(EVENT_GROUPS).flat(), 'webhook.test'] as const;

export const ALL_EVENTS: EventType = '*';
