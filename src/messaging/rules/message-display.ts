import type { Extra, MessageType } from './message-content';

/** What of a message its display text depends on. */
export interface Displayed {
  type: MessageType;
  content: string;
  extra: Extra | null;
  is_recalled: boolean;
}

/** Who sent it, as the reader sees it. */
export interface DisplayedSender {
  is_self: boolean;
  name: string | null;
}

/** A message as one line for people: `display_content`, and a conversation's `last_message` (contract 6). Pure. */
export function displayOf(message: Displayed, sender: DisplayedSender): string {
  if (message.is_recalled) return `${sender.is_self ? '你' : (sender.name ?? '')}撤回了一条消息`;
  return DISPLAY[message.type](message);
}

const DISPLAY: Record<MessageType, (message: Displayed) => string> = {
  text: ({ content }) => content,
  image: () => '[图片]',
  file: ({ extra }) => labelled('[文件]', extra?.name),
  audio: ({ extra }) => labelled('[语音]', extra?.duration, '"'),
  video: () => '[视频]',
  location: ({ extra }) => labelled('[位置]', extra?.title),
};

/** The label, and after a space what is known of it; anything but a text or a number counts as not given. */
function labelled(label: string, detail: unknown, unit = ''): string {
  const isGiven = typeof detail === 'number' || (typeof detail === 'string' && detail.trim() !== '');
  return isGiven ? `${label} ${detail}${unit}` : label;
}
