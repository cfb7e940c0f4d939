import type { UserEvent } from '@callboard/client';

/* The tags are the topics of pushes (API 18.3): of a page and a push that show the same, one notification remains. */

const NOTIFICATION_PREFIX = 'notification:';

export const callTag = (callId: number): string => `call:${callId}`;
export const conversationTag = (conversationId: number): string => `conversation:${conversationId}`;
export const notificationTag = (notificationId: number): string => NOTIFICATION_PREFIX + notificationId;

/** A browser notification. */
interface Shown {
  tag: string;
  /** Id of the message, notification or call. */
  id?: number;
}

/** Whether a browser notification is obsolete. */
export type Dismissal = (shown: Shown) => boolean;

const ofTag =
  (obsolete: string): Dismissal =>
  ({ tag }) =>
    tag === obsolete;

/** Returns which browser notifications an event makes obsolete; undefined if it makes none. */
export function toDismissal(event: UserEvent): Dismissal | undefined {
  switch (event.type) {
    case 'call.accepted':
    case 'call.rejected':
    case 'call.cancelled':
    case 'call.ended':
    case 'call.answered_elsewhere':
    case 'call.declined_elsewhere':
      return ofTag(callTag(event.call.call_id));
    case 'conversation.read':
      // Read on another device: the notification here is obsolete.
      return event.unread_count === 0 ? ofTag(conversationTag(event.conversation_id)) : undefined;
    case 'message.recalled':
      return ofMessage(event.conversation_id, event.message.id);
    case 'message.deleted':
      return ofMessage(event.conversation_id, event.message_id);
    case 'notification.read':
    case 'notification.deleted':
      return ofTag(notificationTag(event.notification_id));
    case 'notification.updated':
      return event.notification.archived === 1 ? ofTag(notificationTag(event.notification.id)) : undefined;
    case 'notification.all_read':
      // The types of the shown notifications are unknown: those of one type are closed when no others are unread.
      return event.unread_count === 0 ? ({ tag }) => tag.startsWith(NOTIFICATION_PREFIX) : undefined;
    default:
      return undefined;
  }
}

/** A notification of a conversation shows the newest message. It stays when an older one is recalled. */
const ofMessage =
  (conversationId: number, messageId: number): Dismissal =>
  ({ tag, id }) =>
    tag === conversationTag(conversationId) && id === messageId;
