import type { EventPayloads, EventType, TopicEventType, TopicPayloads } from './event-types';
import type { LogId } from './log-id';
import type { SplitPayload } from './split-payload';

/** An event of one type on its way into the log of a user. Everything in it is as that user sees it. */
export interface EventOf<K extends EventType> {
  userId: number;
  type: K;
  payload: EventPayloads[K] | SplitPayload<EventPayloads[K]>;
}

/** An event of any of these types, each with its own payload. */
export type NewEvent<K extends EventType = EventType> = { [Type in K]: EventOf<Type> }[K];

/** An event on its way into the log of a topic, as its source will read it again. */
export type NewTopicEvent = {
  [Type in TopicEventType]: { type: Type; payload: TopicPayloads[Type] };
}[TopicEventType];

/** What a user hears of an event of a topic. */
export type UserEvent = { [Type in EventType]: { type: Type; payload: EventPayloads[Type] } }[EventType];

/** An event as the log takes it, of whatever type. */
export interface UnwrittenEvent {
  log: LogId;
  type: string;
  payload: object;
}

/** An event as the log keeps it. */
export interface LoggedEvent {
  seq: number;
  type: string;
  /** A JSON object. */
  payload: string;
  created_at: Date;
}

/**
 * One frame of the stream: `id`, `event` and one line of `data`. JSON has no line breaks of its own. Without a number
 * there is no `id`: such a frame leaves the client's cursor where it is.
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
