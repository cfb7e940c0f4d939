import type { ConversationResponse } from '../dto/conversation.dto';
import type { MessageResponse } from '../dto/message.dto';
import type { LocalTime } from '../rules/local-time';
import { displayOf } from '../rules/message-display';

/* What the events of conversations are made of. */

export const UPDATED = 'conversation.updated';

/** A message as a member sees it, as plain fields. */
export type SeenMessage = { [Field in keyof MessageResponse]: MessageResponse[Field] };

/**
 * What the log keeps, once for all, of an event in a large group, which is a topic by the conversation's id; `seq` is
 * the number of its message.
 */
export interface GroupEvent {
  message: SeenMessage;
  seq: number;
}

/**
 * A conversation in three parts: what all its members see alike, what the member has made of it, which is the usual for
 * most of them, and what is the member's own.
 */
export function partsOf(conversation: ConversationResponse) {
  const { unread_count, last_read_message_id, role, muted, mute_until, pinned, hidden, ...alike } =
    conversation;
  const settings = { muted, mute_until, pinned, hidden };
  const isUsual = !muted && !pinned && !hidden;
  return { alike, settings, isUsual, own: { unread_count, last_read_message_id, role } };
}

/** A message as somebody else than its sender sees it. */
export function asReceived(asSender: SeenMessage, readAt: Date | null, time: LocalTime): SeenMessage {
  return {
    ...asSender,
    is_self: false,
    display_content: displayOf(asSender, { is_self: false, name: asSender.sender_name }, time.words),
    is_read: readAt !== null,
    read_at: readAt === null ? null : time.dateTime(readAt),
  };
}
