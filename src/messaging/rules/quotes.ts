import type { Words } from '../../common/words/words';
import type { MessageId, UserId } from '../../common/ids';
import type { Extra, MessageType } from './message-content';
import { displayOf } from './message-display';

/* A message as those that answer it quote it, alike for all who see these (contract 16.3). Pure. */

const MAX_QUOTE = 100;

/** What of a message its quotes depend on. */
export interface Quoted {
  id: MessageId;
  sender_id: UserId;
  sender_name: string | null;
  type: MessageType;
  /** The first 100 characters are enough. */
  content: string;
  extra: Extra | null;
  is_recalled: boolean;
}

/** A message as it is quoted. */
export interface Quote {
  id: number;
  sender_id: number;
  sender_name: string | null;
  type: MessageType;
  display_content: string;
  is_recalled: boolean;
}

/** How a message is quoted as it is now: a recalled one is a fixed text, and long ones are cut. */
export function quoteOf(message: Quoted, words: Words): Quote {
  const { id, sender_id, sender_name, type, is_recalled } = message;
  const display_content = is_recalled
    ? words.texts.消息已撤回
    : beginningOf(displayOf(message, { is_self: false, name: sender_name }, words));
  return { id, sender_id, sender_name, type, display_content, is_recalled };
}

/** The first 100 characters, counted as code points; twice as many units hold them in any case. */
const beginningOf = (text: string): string =>
  text.length <= MAX_QUOTE
    ? text
    : Array.from(text.slice(0, 2 * MAX_QUOTE))
        .slice(0, MAX_QUOTE)
        .join('');
