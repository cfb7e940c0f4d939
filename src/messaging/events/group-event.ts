import type { ConversationResponse } from '../dto/conversation.dto';
import type { MemberRead } from '../store/readers.store';
import { asDeleted } from '../views/message-marks.views';
import type { LocalTime } from '../rules/local-time.rules';
import { displayOf } from '../rules/message-display.rules';
import type { MessageView } from './event-payloads';

/* Parts of conversation events. */

export const UPDATED = 'conversation.updated';

/**
 * Splits a conversation into the fields that are the same for all members, the member's settings, which are the
 * defaults for most members, and the fields that differ between members.
 */
export function splitConversation(conversation: ConversationResponse) {
  const { unread_count, last_read_message_id, mention_id, role, ...fields } = conversation;
  const { muted, mute_until, pinned, hidden, ...common } = fields;
  const settings = { muted, mute_until, pinned, hidden };
  const hasDefaultSettings = !muted && !pinned && !hidden;
  return {
    common,
    settings,
    hasDefaultSettings,
    personal: { unread_count, last_read_message_id, mention_id, role },
  };
}

/** Returns a recalled message as a member whose history contains it sees it. */
export function recalledFor(
  { user_id, read_at, is_deleted }: MemberRead,
  asSender: MessageView,
  time: LocalTime,
): MessageView {
  const isSender = user_id === asSender.sender_id;
  const received = isSender ? asSender : viewForRecipient(asSender, read_at, time);
  return is_deleted ? asDeleted(received, time.catalogue) : received;
}

/** Returns a message as a member other than its sender sees it. */
function viewForRecipient(asSender: MessageView, readAt: Date | null, time: LocalTime): MessageView {
  return {
    ...asSender,
    is_self: false,
    client_msg_id: null,
    // A deletion by the sender applies to the sender's view only.
    is_deleted: false,
    display_content: displayOf(asSender, { is_self: false, name: asSender.sender_name }, time.catalogue),
    is_read: readAt !== null,
    read_at: readAt === null ? null : time.dateTime(readAt),
  };
}
