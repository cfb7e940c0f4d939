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
