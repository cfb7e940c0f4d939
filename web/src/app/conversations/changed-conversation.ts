import type { UserEvent } from '@callboard/client';

/**
 * Returns the id of the conversation whose unread count, settings or membership an event changes for the user; undefined for other
 * events and for new messages. The live list applies these events only to the conversations that it has loaded.
 */
export function changedConversationId(event: UserEvent): number | undefined {
  switch (event.type) {
    case 'conversation.left':
      return event.conversation_id;
    case 'conversation.read':
      // A read receipt of another member changes nothing.
      return event.unread_count === null ? undefined : event.conversation_id;
    case 'conversation.updated':
    case 'conversation.cleared':
    case 'message.recalled':
    case 'message.deleted':
      return event.conversation.id;
    default:
      return undefined;
  }
}
