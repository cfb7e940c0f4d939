import { CONTENT_FIELDS } from '../../outbox/domain-event-types';

/* Payloads of events (API 14.3, 14.7). */

/** Version of the payload format for new endpoints. Adding fields does not change it. */
export const NEWEST_VERSION = '2026-12-01';

/** An event as it is sent to integrations. */
export interface OutgoingEvent {
  id: string;
  type: string;
  at: Date;
  /** A JSON object. */
  data: string;
}

/** The payload format of an endpoint. */
export interface EventForm {
  version: string;
  withContent: boolean;
}

/** Whether the payload of an event type has fields with user content. */
export const hasContent = (type: string): boolean => type in CONTENT_FIELDS;

/** Returns the request body of an event in one format; it is the same in every attempt. */
export function bodyOf({ id, type, at, data }: OutgoingEvent, { version, withContent }: EventForm): string {
  const envelope = JSON.stringify({ id, type, timestamp: at.toISOString(), version });
  return `${envelope.slice(0, -1)},"data":${withContent ? data : withoutContent(type, data)}}`;
}

function withoutContent(type: string, data: string): string {
  const content = CONTENT_FIELDS[type];
  if (content === undefined) return data;
  const fields = Object.entries(JSON.parse(data) as Record<string, unknown>);
  return JSON.stringify(Object.fromEntries(fields.filter(([name]) => !content.includes(name))));
}
