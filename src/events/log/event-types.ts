/*
 * The types of events and what each of them brings. A module adds its own, by `declare module`, in a file of its own
 * (`call-event-payloads.ts`, `events/event-payloads.ts`); `dto/event-schemas.ts` lists them all.
 */

/** What an event of each type brings to its user besides `type` and `created_at`, as that user sees it (contract 7). */
export interface EventPayloads {}

/** What the log of a topic keeps of an event of each type, once for all who follow the topic. */
export interface TopicPayloads {}

export type EventType = keyof EventPayloads;
export type TopicEventType = keyof TopicPayloads;

/** Tells a client that events it asks for are gone: it should fetch afresh and go on from this cursor (contract 7). */
export const RESYNC = 'resync';
