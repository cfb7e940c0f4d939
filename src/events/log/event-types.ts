/*
 * Types and payloads of user events. A module adds its own by `declare module` in a separate file
 * (`call-event-payloads.ts`, `events/event-payloads.ts`). `dto/event-schemas.ts` lists them all.
 */

/** Payload of each type, besides `type` and `created_at`, from the view of the receiving user (API 13). */
export interface EventPayloads {}

/** Payload of each type as stored in the log of a topic, once for all its subscribers. */
export interface TopicPayloads {}

export type EventType = keyof EventPayloads;
export type TopicEventType = keyof TopicPayloads;

/**
 * Event type for a client whose next events were deleted: it must fetch its data again, and continue here (API 13).
 */
export const RESYNC = 'resync';
