import type { MessageResponse, ReactionResponse, UserEvent } from '../generated/types.gen.js';

export type Message = MessageResponse;

type EventOf<Type extends UserEvent['type']> = Extract<UserEvent, { type: Type }>;

const QUOTE_LENGTH = 100;

/**
 * Applies an event to messages of a conversation, newest first (docs/events.md). Returns the new list; the same array if the event
 * is of another conversation or of a type that changes no messages. `userId`: the user whose history it is. No event contains the
 * `read_count` of a group's messages: refetch it.
 */
export function applyToMessages(
  messages: readonly Message[],
  event: UserEvent,
  { conversationId, userId, isGroup }: { conversationId: number; userId: number; isGroup: boolean },
): readonly Message[] {
  if (!('conversation_id' in event) || event.conversation_id !== conversationId) return messages;
  switch (event.type) {
    case 'conversation.left':
      return [];
    case 'message.created':
      return withMessage(messages, event.message);
    case 'message.recalled': {
      const replaced = messages.map((message) => (message.id === event.message.id ? event.message : message));
      return quoted(replaced, event.message.id, {
        display_content: event.message.display_content,
        is_recalled: true,
      });
    }
    case 'message.edited':
      return edited(messages, event);
    case 'message.deleted':
      return changed(messages, event.message_id, withoutContent);
    case 'message.reacted':
      return changed(messages, event.message_id, (message) => ({
        ...message,
        reactions: reacted(message.reactions, event, event.user_id === userId),
      }));
    case 'conversation.cleared':
      return messages.filter(({ id }) => id > (event.up_to_message_id ?? 0));
    case 'conversation.read':
      if (event.user_id === userId) return readByUser(messages, event);
      return isGroup ? messages : readByPeer(messages, event);
    default:
      return messages;
  }
}

/**
 * Inserts a message at its position, unless the list contains it. The response to a send may arrive before the event of an earlier
 * message.
 */
export function withMessage(messages: readonly Message[], added: Message): readonly Message[] {
  if (messages.some(({ id }) => id === added.id)) return messages;
  const newer = messages.filter(({ id }) => id > added.id);
  return [...newer, added, ...messages.slice(newer.length)];
}

/** Changes one message, unless it is deleted: a deleted message stays empty. */
const changed = (
  messages: readonly Message[],
  id: number,
  change: (message: Message) => Message,
): readonly Message[] =>
  messages.map((message) => (message.id === id && !message.is_deleted ? change(message) : message));

/** Updates the quotes of a message. */
const quoted = (
  messages: readonly Message[],
  id: number,
  change: Partial<NonNullable<Message['reply_to']>>,
): readonly Message[] =>
  messages.map((message) =>
    message.reply_to?.id === id ? { ...message, reply_to: { ...message.reply_to, ...change } } : message,
  );

function edited(messages: readonly Message[], event: EventOf<'message.edited'>): readonly Message[] {
  const { message_id, content, display_content, edited_at } = event;
  const updated = changed(messages, message_id, (message) => ({
    ...message,
    content,
    display_content,
    edited_at,
  }));
  return quoted(updated, message_id, {
    display_content: Array.from(display_content).slice(0, QUOTE_LENGTH).join(''),
  });
}

const withoutContent = (message: Message): Message => ({
  ...message,
  content: '',
  display_content: '',
  extra: null,
  attachments: [],
  reply_to: null,
  edited_at: null,
  reactions: [],
  is_deleted: true,
});

function reacted(
  reactions: ReactionResponse[],
  { emoji, count, reacted: hasReacted }: EventOf<'message.reacted'>,
  isByUser: boolean,
): ReactionResponse[] {
  const before = reactions.find((reaction) => reaction.emoji === emoji);
  const after = { emoji, count, reacted: isByUser ? hasReacted : (before?.reacted ?? false) };
  const updated =
    before === undefined
      ? [...reactions, after]
      : reactions.map((reaction) => (reaction === before ? after : reaction));
  return updated.filter((reaction) => reaction.count > 0);
}

/** Marks messages that the user has read, and counts the user among their readers. */
const readByUser = (
  messages: readonly Message[],
  { up_to_message_id, read_at }: EventOf<'conversation.read'>,
): readonly Message[] =>
  messages.map((message) =>
    !message.is_self &&
    message.kind === 'message' &&
    !message.is_read &&
    message.id <= (up_to_message_id ?? 0)
      ? {
          ...message,
          is_read: true,
          read_at,
          read_count: message.read_count + 1,
          unread_count: message.unread_count - 1,
        }
      : message,
  );

const readByPeer = (
  messages: readonly Message[],
  { up_to_message_id, read_at }: EventOf<'conversation.read'>,
): readonly Message[] =>
  messages.map((message) =>
    message.is_self && message.kind === 'message' && !message.is_read && message.id <= (up_to_message_id ?? 0)
      ? { ...message, is_read: true, read_at, read_count: 1, unread_count: 0 }
      : message,
  );
