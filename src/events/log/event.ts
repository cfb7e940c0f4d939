import type { EventPayloads, EventType, TopicEventType, TopicPayloads } from './event-types';
import type { LogId } from './log-id';
import type { SplitPayload } from './split-payload';

/** A new event of one type for the log of a user, with the payload from the view of that user. */
export interface EventOf<K extends EventType> {
  userId: number;
  type: K;
  payload: EventPayloads[K] | SplitPayload<EventPayloads[K]>;
}

/** A new event of any of these types, each with its own payload. */
export type NewEvent<K extends EventType = EventType> = { [Type in K]: EventOf<Type> }[K];

/** A new event for the log of a topic, with the payload that the topic's source reads later. */
export type NewTopicEvent = {
  [Type in TopicEventType]: { type: Type; payload: TopicPayloads[Type] };
}[TopicEventType];

/** An event as sent to a user, such as the view of a topic's event. */
export type UserEvent = { [Type in EventType]: { type: Type; payload: EventPayloads[Type] } }[EventType];

/** An event of any type that is not written yet. */
export interface PendingEvent {
  log: LogId;
  type: string;
  payload: object;
}

/** An event as stored in the log. */
export interface LoggedEvent {
  seq: number;
  type: string;
  /** A JSON object. */
  payload: string;
  created_at: Date;
}

/**
 * Returns one frame of the stream: `id`, `event` and one line of `data`; the JSON contains no line breaks. Without
 * `seq` the frame has no `id`, and leaves the client's cursor unchanged.
 */
export function toFrame({
  seq,
  type,
  payload,
  created_at,
}: Pick<LoggedEvent, 'type' | 'payload' | 'created_at'> & { seq?: number }): string {
  const head = `{"type":${JSON.stringify(type)},"created_at":"${created_at.toISOString()}"`;
  const data = payload === '{}' ? `${head}}` : `${head},${payload.slice(1)}`;
  return `${seq === undefined ? '' : `id: ${seq}\n`}event: ${type}\ndata: ${data}\n\n`;
}
