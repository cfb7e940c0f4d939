import type { Words } from '../../common/words/words';
import type { MessageId, UserId } from '../../common/ids';
import type { Extra, MessageType } from './message-content';
import { displayOf } from './message-display';

/* Quotes of messages in replies, the same for all readers (contract 16.3). Pure. */

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
export function quoteOf(message: Quoted, words: Words): Quote {
  const { id, sender_id, sender_name, type, is_recalled } = message;
  const display_content = is_recalled
    ? words.texts.消息已撤回
    : truncate(displayOf(message, { is_self: false, name: sender_name }, words));
  return { id, sender_id, sender_name, type, display_content, is_recalled };
}

/** Returns the first 100 code points. They are within the first 200 UTF-16 code units, so only these are split. */
const truncate = (text: string): string =>
  text.length <= MAX_QUOTE
    ? text
    : Array.from(text.slice(0, 2 * MAX_QUOTE))
        .slice(0, MAX_QUOTE)
        .join('');
