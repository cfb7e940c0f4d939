import { randomUUID } from 'node:crypto';
import type { RecordedEventType } from './domain-event-types';

/** A domain event as it is stored in the log and dispatched. */
export interface OutboxEvent {
  /** Permanent id, `msg_…`: the `webhook-id`. */
  eventId: string;
  type: RecordedEventType;
  /** The resource, such as `call:17`. */
  subject: string;
  /** A JSON object, as it was recorded. */
  payload: string;
  /** `traceparent` of the request that caused it; null: without a trace. */
  traceparent: string | null;
  /** Time of the domain event. */
  at: Date;
}

/** Returns a new permanent id for a domain event: the `webhook-id`. */
export const newEventId = (): string => `msg_${randomUUID().replaceAll('-', '')}`;

/** Parses the domain events of a row of the log, which are a JSON array. */
export const parseEvents = (events: string): OutboxEvent[] =>
  (JSON.parse(events) as (Omit<OutboxEvent, 'at'> & { at: string })[]).map(({ at, ...event }) => ({
    ...event,
    at: new Date(at),
  }));
