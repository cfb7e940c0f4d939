import type { ConversationResponse } from '../dto/conversation.dto';
import type { MessageResponse } from '../dto/message.dto';
import type { LocalTime } from '../rules/local-time';
import type { Mentions } from '../rules/mentions';
import { displayOf } from '../rules/message-display';
import type { EditEvent, ReactedEvent } from './event-payloads';

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

/** A recall there, with those whom the message mentioned. */
export interface RecallInGroup extends GroupEvent {
  /** Missing where an instance of the version before tells of it. */
  mentioned?: Mentions;
}

/** An edit there: everybody hears the same. */
export interface EditInGroup {
  edit: EditEvent;
  seq: number;
}

/** A reaction there, which is told as it is. */
export interface GroupReaction {
  reaction: ReactedEvent;
  seq: number;
}

/**
 * A conversation in three parts: what all its members see alike, what the member has made of it, which is the usual for
 * most of them, and what is the member's own.
 */
export function partsOf(conversation: ConversationResponse) {
  const { unread_count, last_read_message_id, mention_id, role, ...others } = conversation;
  const { muted, mute_until, pinned, hidden, ...alike } = others;
  const settings = { muted, mute_until, pinned, hidden };
  const isUsual = !muted && !pinned && !hidden;
  return { alike, settings, isUsual, own: { unread_count, last_read_message_id, mention_id, role } };
}

/** A message as somebody else than its sender sees it. */
export function asReceived(asSender: SeenMessage, readAt: Date | null, time: LocalTime): SeenMessage {
  return {
    ...asSender,
    is_self: false,
    client_msg_id: null,
    // What its sender has deleted is the sender's own matter.
    is_deleted: false,
    display_content: displayOf(asSender, { is_self: false, name: asSender.sender_name }, time.words),
    is_read: readAt !== null,
    read_at: readAt === null ? null : time.dateTime(readAt),
  };
}
