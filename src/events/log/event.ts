import type { EventPayloads, EventType, TopicEventType, TopicPayloads } from './event-types';

/** A new event of one type for the log of a user, with the payload from the view of that user. */
interface EventOf<K extends EventType> {
  userId: number;
  type: K;
  payload: EventPayloads[K];
  shared?: undefined;
  own?: undefined;
}

/** An event whose payload is `shared` with `own` merged into it; created by `toSharedEvent`. */
export interface SharedEvent<K extends EventType> {
  userId: number;
  type: K;
  /** The part of the payload that is the same for several events, which pass the same object. */
  shared: object;
  /** The fields that differ. */
  own: object;
  payload?: undefined;
}

/** A new event of any of these types, each with its own payload. */
export type NewEvent<K extends EventType = EventType> = { [Type in K]: EventOf<Type> }[K] | SharedEvent<K>;

/** Some fields of a payload; of fields that are objects, also some of their fields. */
type PartOf<Payload> = { [Field in keyof Payload]?: Payload[Field] | Partial<Payload[Field]> };

/** The fields of a payload that a part of it lacks, and of an incomplete field, the missing fields. */
type RestOf<Payload, Part> = {
  [
    Field in keyof Payload as Field extends keyof Part
      ? Part[Field] extends Payload[Field]
        ? never
        : Field
      : Field
  ]: Field extends keyof Part ? Omit<Payload[Field], keyof Part[Field]> : Payload[Field];
};

/**
 * Creates an event whose payload is partly the same as that of other events of the transaction, so that this part is
 * stored once. One field may be an object with a part in both, at least one field in each: it must be the last field of
 * `shared` and the first of `own`.
 */
export const toSharedEvent = <K extends EventType, Shared extends PartOf<EventPayloads[K]>>(event: {
  userId: number;
  type: K;
  shared: Shared;
  own: RestOf<EventPayloads[K], Shared>;
}): SharedEvent<K> => event;

/** A new event for the log of a topic, with the payload that the topic's source reads later. */
export type NewTopicEvent = {
  [Type in TopicEventType]: { type: Type; payload: TopicPayloads[Type] };
}[TopicEventType];

/** An event as sent to a user, such as the view of a topic's event. */
export type UserEvent = { [Type in EventType]: { type: Type; payload: EventPayloads[Type] } }[EventType];

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
