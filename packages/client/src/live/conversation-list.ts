import type { ConversationResponse, UserEvent } from '../generated/types.gen.js';

export type Conversation = ConversationResponse;

/**
 * What an event makes of a list of conversations (docs/events.md): the list after it, in its order; the same array when
 * nothing changes. `time` stays as it was fetched: show `last_message_at`.
 */
export function applyToConversations(
  list: readonly Conversation[],
  event: UserEvent,
): readonly Conversation[] {
  switch (event.type) {
    case 'conversation.left':
      return without(list, event.conversation_id);
    case 'conversation.updated':
      return event.hidden ? without(list, event.conversation.id) : placed(list, event.conversation);
    case 'message.created':
      return changed(list, event.conversation_id, (known) => withMessage(known, event));
    case 'message.edited':
      return changed(list, event.conversation_id, (known) =>
        known.last_message_id === event.message_id
          ? { ...known, last_message: event.display_content }
          : known,
      );
    case 'conversation.read': {
      const { unread_count, mention_id, up_to_message_id } = event;
      // Somebody else's reading changes nothing in the list.
      if (unread_count === null) return list;
      return changed(list, event.conversation_id, (known) => ({
        ...known,
        unread_count,
        mention_id,
        last_read_message_id: later(known.last_read_message_id, up_to_message_id),
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

/** Whether an event is of a conversation that the list does not have: it may be on a page that was not fetched. */
export const isUnknown = (list: readonly Conversation[], event: UserEvent): boolean =>
  event.type === 'message.created' && !list.some(({ id }) => id === event.conversation_id);

/** Pinned first, then the newest message (to the millisecond, where that is told), then the newest conversation. */
export const inOrder = (list: readonly Conversation[]): readonly Conversation[] =>
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

/** How far one has read never goes back. */
const later = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b);

const without = (list: readonly Conversation[], id: number): readonly Conversation[] =>
  list.some((known) => known.id === id) ? list.filter((known) => known.id !== id) : list;

const placed = (list: readonly Conversation[], conversation: Conversation): readonly Conversation[] =>
  inOrder([...list.filter(({ id }) => id !== conversation.id), conversation]);

function changed(
  list: readonly Conversation[],
  id: number,
  change: (known: Conversation) => Conversation,
): readonly Conversation[] {
  const known = list.find((one) => one.id === id);
  // What is not in the list is hidden or left; it comes back by `conversation.updated`.
  return known === undefined ? list : placed(list, change(known));
}

type MessageCreated = Extract<UserEvent, { type: 'message.created' }>;

function withMessage(
  known: Conversation,
  { message, unread_count, mention_id }: MessageCreated,
): Conversation {
  const movesPosition = message.is_self && message.kind === 'message';
  return {
    ...known,
    unread_count,
    ...(mention_id !== undefined && { mention_id }),
    last_message: message.display_content,
    last_message_id: message.id,
    last_sender_id: message.sender_id,
    last_is_recalled: message.is_recalled,
    last_is_deleted: false,
    last_notice: message.notice,
    last_sender_name: known.is_group ? message.sender_name : null,
    last_message_at: message.created_at,
    last_sent_at: message.sent_at,
    message_type: message.type,
    last_read_message_id: movesPosition
      ? later(known.last_read_message_id, message.id)
      : known.last_read_message_id,
  };
}
