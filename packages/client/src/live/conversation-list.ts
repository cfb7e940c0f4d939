import type { ConversationResponse, UserEvent } from '../generated/types.gen.js';

export type Conversation = ConversationResponse;

/**
 * Applies an event to a list of conversations (docs/events.md). Returns the new list in display order, or the same array if
 * nothing changes. Does not update `time`: show `last_message_at` instead.
 */
export function applyToConversations(
  list: readonly Conversation[],
  event: UserEvent,
): readonly Conversation[] {
  switch (event.type) {
    case 'conversation.left':
      return without(list, event.conversation_id);
    case 'conversation.updated':
      return event.hidden ? without(list, event.conversation.id) : withConversation(list, event.conversation);
    case 'message.created':
      return changed(list, event.conversation_id, (current) => withMessage(current, event));
    case 'message.edited':
      return changed(list, event.conversation_id, (current) =>
        current.last_message_id === event.message_id
          ? { ...current, last_message: event.display_content }
          : current,
      );
    case 'conversation.read': {
      const { unread_count, mention_id, up_to_message_id } = event;
      // A read receipt of another member does not change the list.
      if (unread_count === null) return list;
      return changed(list, event.conversation_id, (current) => ({
        ...current,
        unread_count,
        mention_id,
        last_read_message_id: maxId(current.last_read_message_id, up_to_message_id),
      }));
    }
    case 'message.recalled':
    case 'message.deleted':
    case 'conversation.cleared':
      return changed(list, event.conversation_id, () => event.conversation);
    default:
      return list;
  }
}

/** Whether an event is a message of a conversation that is not in the list. It may be on a page that was not fetched. */
export const isUnknown = (list: readonly Conversation[], event: UserEvent): boolean =>
  event.type === 'message.created' && !list.some(({ id }) => id === event.conversation_id);

/** Sorts by pinned first, then newest message (to the millisecond if `last_sent_at` is known), then newest conversation. */
export const sortConversations = (list: readonly Conversation[]): readonly Conversation[] =>
  list
    .slice()
    .sort(
      (a, b) =>
        Number(b.pinned) - Number(a.pinned) ||
        compare(b.last_message_at, a.last_message_at) ||
        compare(b.last_sent_at ?? '', a.last_sent_at ?? '') ||
        b.id - a.id,
    );

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Returns the greater id: a read position never moves back. */
const maxId = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b);

const without = (list: readonly Conversation[], id: number): readonly Conversation[] =>
  list.some((current) => current.id === id) ? list.filter((current) => current.id !== id) : list;

const withConversation = (
  list: readonly Conversation[],
  conversation: Conversation,
): readonly Conversation[] =>
  sortConversations([...list.filter(({ id }) => id !== conversation.id), conversation]);

function changed(
  list: readonly Conversation[],
  id: number,
  change: (current: Conversation) => Conversation,
): readonly Conversation[] {
  const current = list.find((conversation) => conversation.id === id);
  // A conversation that is not in the list is hidden or left. `conversation.updated` brings it back.
  return current === undefined ? list : withConversation(list, change(current));
}

type MessageCreated = Extract<UserEvent, { type: 'message.created' }>;

function withMessage(
  current: Conversation,
  { message, unread_count, mention_id }: MessageCreated,
): Conversation {
  const movesPosition = message.is_self && message.kind === 'message';
  return {
    ...current,
    unread_count,
    ...(mention_id !== undefined && { mention_id }),
    last_message: message.display_content,
    last_message_id: message.id,
    last_sender_id: message.sender_id,
    last_is_recalled: message.is_recalled,
    last_is_deleted: false,
    last_notice: message.notice,
    last_sender_name: current.is_group ? message.sender_name : null,
    last_message_at: message.created_at,
    last_sent_at: message.sent_at,
    message_type: message.type,
    last_read_message_id: movesPosition
      ? maxId(current.last_read_message_id, message.id)
      : current.last_read_message_id,
  };
}
