import type { UserEvent } from '@callboard/client';

/* The tags are the topics of pushes (API 18.3): of a page and a push that show the same, one notification remains. */

export const callTag = (callId: number): string => `call:${callId}`;

/** Returns the tag of the notification that an event makes obsolete; undefined if there is none. */
export function dismissedTag(event: UserEvent): string | undefined {
  switch (event.type) {
    case 'call.accepted':
    case 'call.rejected':
    case 'call.cancelled':
    case 'call.ended':
    case 'call.answered_elsewhere':
    case 'call.declined_elsewhere':
      return callTag(event.call.call_id);
    case 'conversation.read':
      // Read on another device: the notification here is obsolete.
      return event.unread_count === 0 ? `conversation:${event.conversation_id}` : undefined;
    case 'notification.read':
    case 'notification.deleted':
      return `notification:${event.notification_id}`;
    case 'notification.updated':
      return event.notification.archived === 1 ? `notification:${event.notification.id}` : undefined;
    default:
      return undefined;
  }
}
