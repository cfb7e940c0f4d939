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
  data: Record<string, unknown>;
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
  return JSON.stringify({
    id,
    type,
    timestamp: at.toISOString(),
    version,
    data: withContent ? data : withoutContent(type, data),
  });
}

function withoutContent(type: string, data: Record<string, unknown>): Record<string, unknown> {
  const left = Object.entries(data).filter(([name]) => !CONTENT[type]?.includes(name));
  return Object.fromEntries(left);
}
