import type { Words } from '../../common/words/words';
import { ZH_CN } from '../../common/words/zh-cn';
import type { Extra, MessageType } from './message-content';

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
 * Returns a message as one line of text: `display_content`, and the `last_message` of a conversation (contract 6).
 * Pure.
 */
export function displayOf(message: Displayed, sender: DisplayedSender, words: Words = ZH_CN): string {
  return message.is_recalled ? words.recalled(sender) : DISPLAY[message.type](message, words);
}

const DISPLAY: Record<MessageType, (message: Displayed, words: Words) => string> = {
  text: ({ content }) => content,
  image: (_, { texts }) => texts['[图片]'],
  file: ({ extra }, { texts }) => labelled(texts['[文件]'], extra?.name),
  audio: ({ extra }, { texts }) => labelled(texts['[语音]'], extra?.duration, '"'),
  video: (_, { texts }) => texts['[视频]'],
  location: ({ extra }, { texts }) => labelled(texts['[位置]'], extra?.title),
};

/**
 * Returns the label, followed by a space and the detail. A detail that is not a number or a non-blank text is left out.
 */
function labelled(label: string, detail: unknown, unit = ''): string {
  const isGiven = typeof detail === 'number' || (typeof detail === 'string' && detail.trim() !== '');
  return isGiven ? `${label} ${detail}${unit}` : label;
}
