import type { ConversationResponse } from '../dto/conversation.dto';
import type { GroupEvent, SeenMessage } from './group-event';

interface MessageEvent {
  conversation_id: number;
  message: SeenMessage;
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
}

/** A conversation as it is now, and once more what its member has made of it. */
export interface UpdatedEvent extends Pick<ConversationResponse, 'pinned' | 'muted' | 'hidden'> {
  conversation: ConversationResponse;
}

declare module '../../events/log/event-types' {
  interface EventPayloads {
    'message.created': MessageEvent;
    'message.recalled': RecallEvent;
    'conversation.read': ReadEvent;
    'conversation.updated': UpdatedEvent;
    'conversation.left': { conversation_id: number };
  }

  /** The topics are the large groups: no other module has any. */
  interface TopicPayloads {
    'message.created': GroupEvent;
    'message.recalled': GroupEvent;
    /** Each listener hears of the group as it is then. */
    'conversation.updated': Record<string, never>;
  }
}
