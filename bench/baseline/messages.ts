import { dateTime, hourMinute } from './local-time';

export interface StoredMessage {
  conversation_id: number;
  seq: number;
  id: number;
  sender_id: number;
  type: string;
  content: string;
  extra: string | null;
  created_at: Date;
  recalled_at: Date | null;
  client_msg_id: string | null;
  sender_name: string | null;
  sender_avatar: string | null;
}

/** Read state of a message. */
export interface ReadState {
  readAt: Date | undefined;
  read: number;
  unread: number;
}

/** A message as a member sees it. */
export function toMessage(row: StoredMessage, viewerId: number, { readAt, read, unread }: ReadState) {
  const is_self = row.sender_id === viewerId;
  const extra = row.extra === null ? null : (JSON.parse(row.extra) as Record<string, unknown>);
  return {
    id: row.id,
    conversation_id: row.conversation_id,
    sender_id: row.sender_id,
    sender_name: row.sender_name,
    sender_avatar: row.sender_avatar,
    is_self,
    type: row.type,
    content: row.content,
    display_content: displayOf({ ...row, extra, isRecalled: row.recalled_at !== null }, is_self),
    extra,
    // The data set has no attachments.
    attachments: [],
    is_recalled: row.recalled_at !== null,
    is_read: readAt !== undefined,
    read_at: readAt === undefined ? null : dateTime(readAt),
    read_count: read,
    unread_count: unread,
    time: hourMinute(row.created_at),
    created_at: dateTime(row.created_at),
    sent_at: row.created_at.toISOString(),
    // The data set has no values for the fields below, except `client_msg_id`.
    kind: 'message',
    notice: null,
    reply_to: null,
    mentions: [],
    mention_all: false,
    is_forwarded: false,
    edited_at: null,
    reactions: [],
    is_deleted: false,
    client_msg_id: is_self ? row.client_msg_id : null,
  };
}

interface Displayed {
  type: string;
  content: string;
  extra: Record<string, unknown> | null;
  isRecalled: boolean;
  sender_name: string | null;
}

/** Returns the one-line preview of a message. */
export function displayOf(message: Displayed, isSelf: boolean): string {
  const { type, content, extra, isRecalled, sender_name } = message;
  if (isRecalled) return `${isSelf ? '你' : (sender_name ?? '')}撤回了一条消息`;
  if (type === 'text') return content;
  if (type === 'image') return '[图片]';
  if (type === 'video') return '[视频]';
  if (type === 'file') return labelled('[文件]', extra?.name);
  if (type === 'audio') return labelled('[语音]', extra?.duration, '"');
  return labelled('[位置]', extra?.title);
}

function labelled(label: string, detail: unknown, unit = ''): string {
  const isGiven = typeof detail === 'number' || (typeof detail === 'string' && detail.trim() !== '');
  return isGiven ? `${label} ${detail}${unit}` : label;
}
