/*
 * Types and payloads of the domain events that integrations receive. A module adds its own payloads by `declare
 * module`. `dto/domain-event-schemas.ts` describes all payloads; a test compares it with docs/webhooks.md.
 */

/** All types of domain events, grouped by their subject (API 14.7). */
export const DOMAIN_EVENT_TYPES = [
  'call.created',
  'call.answered',
  'call.ended',
  'message.created',
  'message.recalled',
  'conversation.created',
  'notification.sent',
  'user.created',
  'user.updated',
  'device.created',
  'device.updated',
  'device.deleted',
  'device.online',
  'device.offline',
] as const;

/** Payload fields with user content, by type. Names of users and groups are not content. */
export const CONTENT_FIELDS: Readonly<Record<string, readonly string[]>> = {
  'message.created': ['content', 'extra'],
  'message.recalled': ['content', 'extra'],
  'notification.sent': ['title', 'content'],
};

export type DomainEventType = (typeof DOMAIN_EVENT_TYPES)[number];

/** Types that only modules of the service read; integrations never receive them. */
export const INTERNAL_EVENT_TYPES = ['conversation.read', 'notification.added', 'notification.seen'] as const;

/** A type in the log. */
export type RecordedEventType = DomainEventType | (typeof INTERNAL_EVENT_TYPES)[number];

/** Whether integrations may receive a type. */
export const isDomainEventType = (type: RecordedEventType): type is DomainEventType =>
  (DOMAIN_EVENT_TYPES as readonly string[]).includes(type);

/** Payload of each type, not from the view of a particular user. Stored as JSON. */
export interface DomainEventPayloads {}
