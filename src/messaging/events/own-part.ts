import { doesMention } from '../rules/mentions.rules';
import type { MessageView } from './event-payloads';

/** The part of a new message's event that is specific to one member. */
export interface OwnPart {
  /** The member's own message, if it has a `client_msg_id`: only its sender sees that, in an event of its own. */
  named?: MessageView;
  /** Set if the message mentions the member; it is then the newest unread message that does. */
  mention?: { mention_id: number };
}

/** Returns the part of a message's event that is specific to `userId`. */
export const toOwnPart = (message: MessageView, userId: number): OwnPart => ({
  named: message.sender_id === userId && message.client_msg_id !== null ? message : undefined,
  mention: doesMention(message, userId) ? { mention_id: message.id } : undefined,
});

/** Whether two consecutive messages cannot share a run of events. */
export const differ = (a: OwnPart = {}, b: OwnPart = {}): boolean =>
  a.named !== b.named || a.mention?.mention_id !== b.mention?.mention_id;
