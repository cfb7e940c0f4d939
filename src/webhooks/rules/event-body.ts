/* What an endpoint is sent of an event (contract 12.2, 12.3). */

/** The first form of events, which endpoints made from now on get. New fields make no new one. */
export const NEWEST_VERSION = '2026-12-01';

/** What people have written, or what goes with it; the names of users and groups are none of it. */
const CONTENT: Readonly<Record<string, readonly string[]>> = {
  'message.created': ['content', 'extra'],
  'message.recalled': ['content', 'extra'],
  'notification.sent': ['title', 'content'],
};

/** An event as it is told to back ends. */
export interface EventToTell {
  id: string;
  type: string;
  at: Date;
  /** A JSON object. */
  data: string;
}

/** In which form an endpoint gets events. */
export interface EventForm {
  version: string;
  withContent: boolean;
}

/** Whether events of a type have content to leave out. */
export const hasContent = (type: string): boolean => type in CONTENT;

/** The body of all attempts to tell of an event in one form. */
export function bodyOf({ id, type, at, data }: EventToTell, { version, withContent }: EventForm): string {
  const envelope = JSON.stringify({ id, type, timestamp: at.toISOString(), version });
  return `${envelope.slice(0, -1)},"data":${withContent ? data : withoutContent(type, data)}}`;
}

function withoutContent(type: string, data: string): string {
  const content = CONTENT[type];
  if (content === undefined) return data;
  const fields = Object.entries(JSON.parse(data) as Record<string, unknown>);
  return JSON.stringify(Object.fromEntries(fields.filter(([name]) => !content.includes(name))));
}
