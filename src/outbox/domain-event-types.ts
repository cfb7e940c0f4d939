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

export type DomainEventType = (typeof DOMAIN_EVENT_TYPES)[number];

/** Payload of each type, not from the view of a particular user. Stored as JSON. */
export interface DomainEventPayloads {}
