import type { MessageCatalogue } from '../../common/i18n/catalogue';
import type { MessageId, UserId } from '../../common/ids';
import type { Extra, MessageType } from './message-content.rules';
import { displayOf } from './message-display.rules';

/* Quotes of messages in replies, the same for all readers (API 8.5). Pure. */

const MAX_QUOTE = 100;

/** The fields of a message that its quotes depend on. */
export interface Quoted {
  id: MessageId;
  sender_id: UserId;
  sender_name: string | null;
  type: MessageType;
  /** The content, or at least its first 100 characters. */
  content: string;
  extra: Extra | null;
  is_recalled: boolean;
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
