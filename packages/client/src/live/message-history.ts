import type { MessageResponse, ReactionResponse, UserEvent } from '../generated/types.gen.js';

export type Message = MessageResponse;

type EventOf<Type extends UserEvent['type']> = Extract<UserEvent, { type: Type }>;

const QUOTE_LENGTH = 100;

/**
 * What an event makes of the newest messages of a conversation, the newest first (docs/events.md); the same array when
 * nothing changes. `userId`: whose history it is. How many of a group have read a message (`read_count`) follows from no
 * event: fetch it.
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
      return messages.some(({ id }) => id === event.message.id) ? messages : [event.message, ...messages];
    case 'message.recalled': {
      const replaced = messages.map((known) => (known.id === event.message.id ? event.message : known));
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
      return changed(messages, event.message_id, (known) => ({
        ...known,
        reactions: reacted(known.reactions, event, event.user_id === userId),
      }));
    case 'conversation.cleared':
      return messages.filter(({ id }) => id > (event.up_to_message_id ?? 0));
    case 'conversation.read':
      if (event.user_id === userId) return readByOneself(messages, event);
      return isGroup ? messages : readByPeer(messages, event);
    default:
      return messages;
  }
}

/** What is deleted stays as it is. */
const changed = (
  messages: readonly Message[],
  id: number,
  change: (known: Message) => Message,
): readonly Message[] =>
  messages.map((known) => (known.id === id && !known.is_deleted ? change(known) : known));

/** Quotes follow what they quote. */
const quoted = (
  messages: readonly Message[],
  id: number,
  change: Partial<NonNullable<Message['reply_to']>>,
): readonly Message[] =>
  messages.map((known) =>
    known.reply_to?.id === id ? { ...known, reply_to: { ...known.reply_to, ...change } } : known,
  );

function edited(messages: readonly Message[], event: EventOf<'message.edited'>): readonly Message[] {
  const { message_id, content, display_content, edited_at } = event;
  const now = changed(messages, message_id, (known) => ({ ...known, content, display_content, edited_at }));
  return quoted(now, message_id, {
    display_content: Array.from(display_content).slice(0, QUOTE_LENGTH).join(''),
  });
}

const withoutContent = (known: Message): Message => ({
  ...known,
  content: '',
  display_content: '',
  extra: null,
  reply_to: null,
  edited_at: null,
  reactions: [],
  is_deleted: true,
});

function reacted(
  known: ReactionResponse[],
  { emoji, count, reacted: isThere }: EventOf<'message.reacted'>,
  isOwn: boolean,
): ReactionResponse[] {
  const before = known.find((one) => one.emoji === emoji);
  const after = { emoji, count, reacted: isOwn ? isThere : (before?.reacted ?? false) };
  const now = before === undefined ? [...known, after] : known.map((one) => (one === before ? after : one));
  return now.filter((one) => one.count > 0);
}

/** One more has read what oneself had not. */
const readByOneself = (
  messages: readonly Message[],
  { up_to_message_id, read_at }: EventOf<'conversation.read'>,
): readonly Message[] =>
  messages.map((known) =>
    !known.is_self && known.kind === 'message' && !known.is_read && known.id <= (up_to_message_id ?? 0)
      ? {
          ...known,
          is_read: true,
          read_at,
          read_count: known.read_count + 1,
          unread_count: known.unread_count - 1,
        }
      : known,
  );

const readByPeer = (
  messages: readonly Message[],
  { up_to_message_id, read_at }: EventOf<'conversation.read'>,
): readonly Message[] =>
  messages.map((known) =>
    known.is_self && known.kind === 'message' && !known.is_read && known.id <= (up_to_message_id ?? 0)
      ? { ...known, is_read: true, read_at, read_count: 1, unread_count: 0 }
      : known,
  );
