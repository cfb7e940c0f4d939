import type { ConversationResponse } from '../dto/conversation.dto';
import type { EditInGroup, GroupEvent, GroupReaction, RecallInGroup, SeenMessage } from './group-event';

interface MessageEvent {
  conversation_id: number;
  message: SeenMessage;
  /** To those whom the message mentions: the newest unread one that does. */
  mention_id?: number | null;
  /** What is left for the event's user to read in the conversation. */
  unread_count: number;
}

interface RecallEvent extends MessageEvent {
  /** The conversation as it is without the message. */
  conversation: ConversationResponse;
}

export interface ReadEvent {
  conversation_id: number;
  /** Who has read. */
  user_id: number;
  /** Null when the reader sees no message. */
  up_to_message_id: number | null;
  /** `2026-01-31 16:00:00` */
  read_at: string;
  /** What is left for the reader; null for others. */
  unread_count: number | null;
  /** The reader's newest unread message that mentions the reader; null for others. */
  mention_id: number | null;
}

/** A text that says something else now; quotes of it follow, and the conversation's `last_message` where it is that. */
export interface EditEvent {
  conversation_id: number;
  message_id: number;
  content: string;
  display_content: string;
  /** `2026-01-31 16:00:00` */
  edited_at: string;
}

/** A conversation as it is now, and once more what its member has made of it. */
export interface UpdatedEvent extends Pick<ConversationResponse, 'pinned' | 'muted' | 'hidden'> {
  conversation: ConversationResponse;
}

/** Somebody has reacted to a message, or taken that back; the same for all who see it. */
export interface ReactedEvent {
  conversation_id: number;
  message_id: number;
  user_id: number;
  /** As it was first used. */
  emoji: string;
  reacted: boolean;
  /** How many there are now. */
  count: number;
}

interface DeletedEvent {
  conversation_id: number;
  message_id: number;
  /** The conversation as it is then. */
  conversation: ConversationResponse;
}

interface ClearedEvent {
  conversation_id: number;
  /** Null when there was no message. */
  up_to_message_id: number | null;
  conversation: ConversationResponse;
}

declare module '../../events/log/event-types' {
  interface EventPayloads {
    'message.created': MessageEvent;
    'message.recalled': RecallEvent;
    'message.edited': EditEvent;
    'conversation.read': ReadEvent;
    'conversation.updated': UpdatedEvent;
    'conversation.left': { conversation_id: number };
    /** Live alone: it is in no log. */
    'conversation.typing': { conversation_id: number; user_id: number; typing: boolean };
    'message.reacted': ReactedEvent;
    'message.deleted': DeletedEvent;
    'conversation.cleared': ClearedEvent;
  }

  /** The topics are the large groups: no other module has any. */
  interface TopicPayloads {
    'message.created': GroupEvent;
    'message.recalled': RecallInGroup;
    'message.edited': EditInGroup;
    'message.reacted': GroupReaction;
    /** Each listener hears of the group as it is then. */
    'conversation.updated': Record<string, never>;
  }
}
