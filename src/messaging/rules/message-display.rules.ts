import type { MessageCatalogue } from '../../common/i18n/catalogue';
import { ZH_CN } from '../../common/i18n/zh-cn';
import type { MessageId, UserId } from '../../common/ids';
import type { Extra, MessageType } from './message-content.rules';

/* Messages as one line of text, and their quotes in replies, which are the same for all readers (API 8.5). Pure. */

const MAX_QUOTE = 100;

/** The fields of a message that its display text depends on. */
export interface Displayed {
  type: MessageType;
  content: string;
  extra: Extra | null;
  is_recalled: boolean;
}

/** The sender of a message, as the reader sees the sender. */
export interface DisplayedSender {
  is_self: boolean;
  name: string | null;
}

/**
 * Returns a message as one line of text: `display_content`, and the `last_message` of a conversation (API 8.2).
 */
export function displayOf(
  message: Displayed,
  sender: DisplayedSender,
  catalogue: MessageCatalogue = ZH_CN,
): string {
  return message.is_recalled ? catalogue.recalled(sender) : DISPLAY[message.type](message, catalogue);
}

const DISPLAY: Record<MessageType, (message: Displayed, catalogue: MessageCatalogue) => string> = {
  text: ({ content }) => content,
  image: (_, { messages }) => messages['image'],
  file: ({ extra }, { messages }) => labelled(messages['file'], extra?.name),
  audio: ({ extra }, { messages }) => labelled(messages['audio'], extra?.duration, '"'),
  video: (_, { messages }) => messages['video'],
  location: ({ extra }, { messages }) => labelled(messages['location'], extra?.title),
};

/**
 * Returns the label, followed by a space and the detail. A detail that is not a number or a non-blank text is left out.
 */
function labelled(label: string, detail: unknown, unit = ''): string {
  const isGiven = typeof detail === 'number' || (typeof detail === 'string' && detail.trim() !== '');
  return isGiven ? `${label} ${detail}${unit}` : label;
}

/** The fields of a message that its quotes depend on. `content` may be cut after its first 100 characters. */
export interface Quoted extends Displayed {
  id: MessageId;
  sender_id: UserId;
  sender_name: string | null;
}

/** A quoted message. */
export interface Quote {
  id: number;
  sender_id: number;
  sender_name: string | null;
  type: MessageType;
  display_content: string;
  is_recalled: boolean;
}

/**
 * Returns the quote of a message in its current state. A recalled message has a fixed text, and long texts are
 * truncated.
 */
export function quoteOf(message: Quoted, catalogue: MessageCatalogue): Quote {
  const { id, sender_id, sender_name, type, is_recalled } = message;
  const display_content = is_recalled
    ? catalogue.messages.messageRecalled
    : truncate(displayOf(message, { is_self: false, name: sender_name }, catalogue));
  return { id, sender_id, sender_name, type, display_content, is_recalled };
}

/** Returns the first 100 code points. They are within the first 200 UTF-16 code units, so only these are split. */
const truncate = (text: string): string =>
  text.length <= MAX_QUOTE
    ? text
    : Array.from(text.slice(0, 2 * MAX_QUOTE))
        .slice(0, MAX_QUOTE)
        .join('');
