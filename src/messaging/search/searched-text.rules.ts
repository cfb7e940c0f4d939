import { type Extra, extraOf, type MessageType } from '../rules/message-content.rules';

/* The text of a message that a search reads (API 8.13). Pure. */

/** Kinds of content besides text, for the filter `has`. */
export const CONTENT_KINDS = ['attachment', 'link'] as const;
export type ContentKind = (typeof CONTENT_KINDS)[number];

/** Types of messages that have a searched text. */
const SEARCHED_TYPES: readonly MessageType[] = ['text', 'file', 'location'];
/** The searched type that can have this content. */
const TYPE_WITH: Record<ContentKind, MessageType> = { attachment: 'file', link: 'text' };
const LINK = /https?:\/\/\S/i;

interface Content {
  type: MessageType;
  content: string;
  /** The stored JSON, or null. */
  extra: string | null;
}

/** Returns the text of a message that a search reads: a text, the name of a file or the title of a location. */
export function searchedText({ type, content, extra }: Content): string | undefined {
  if (type === 'text') return content;
  const details: Extra = extraOf(extra) ?? {};
  const text = {
    file: details.name,
    location: details.title,
    image: undefined,
    audio: undefined,
    video: undefined,
  }[type];
  return typeof text === 'string' ? text : undefined;
}

/** Returns the types of the messages to read. Undefined `type`: any. Empty `has`: with any content. */
export const searchedTypes = (
  type: MessageType | undefined,
  has: readonly ContentKind[],
): readonly MessageType[] =>
  SEARCHED_TYPES.filter(
    (searched) =>
      (type === undefined || searched === type) &&
      (has.length === 0 || has.some((kind) => TYPE_WITH[kind] === searched)),
  );

/** Whether a message contains any of these; true if there are none. */
export const containsAny = ({ type, content }: Content, has: readonly ContentKind[]): boolean =>
  has.length === 0 ||
  has.some((kind) => type === TYPE_WITH[kind] && (kind === 'attachment' || LINK.test(content)));
