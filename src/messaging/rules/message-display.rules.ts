import type { MessageCatalogue } from '../../common/i18n/catalogue';
import { ZH_CN } from '../../common/i18n/zh-cn';
import type { Extra, MessageType } from './message-content.rules';

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
 * Pure.
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
