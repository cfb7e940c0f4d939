/** An event on its way into a log. Everything in it is as its user sees it. */
export interface NewEvent {
  /** Whose log: a user's, or a topic's, whose number is negative (see `TopicSource`). */
  userId: number;
  type: string;
  /** An object, or its JSON: what many events share need be written but once. */
  payload: object | string;
}

/** An event as the log keeps it. */
export interface LoggedEvent {
  user_id: number;
  seq: number;
  type: string;
  /** A JSON object. */
  payload: string;
  created_at: Date;
}

/** Tells a client that events it asks for are gone: it should fetch afresh and go on from this cursor (contract 7). */
export const RESYNC = 'resync';

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
