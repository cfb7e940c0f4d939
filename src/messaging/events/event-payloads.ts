import type { ConversationResponse } from '../dto/conversation.dto';
import type { MessageResponse } from '../dto/message.dto';
import type { Mentions } from '../rules/mentions.rules';

/** A message as a member sees it, as plain fields. */
export type MessageView = { [Field in keyof MessageResponse]: MessageResponse[Field] };

interface MessageEvent {
  conversation_id: number;
  message: MessageView;
  /** Newest unread message that mentions the user; only in events of a message that mentions the user. */
  mention_id?: number | null;
  /** Unread messages of the event's user in the conversation. */
  unread_count: number;
}

interface RecallEvent extends MessageEvent {
  /** The conversation after the recall. */
  conversation: ConversationResponse;
}

export interface ReadEvent {
  conversation_id: number;
  /** The reader. */
  user_id: number;
  /** Null when the reader sees no message. */
  up_to_message_id: number | null;
  /** `2026-01-31 16:00:00` */
  read_at: string;
  /** Unread messages of the reader; null in events to other users. */
  unread_count: number | null;
  /** Newest unread message that mentions the reader; null in events to other users. */
  mention_id: number | null;
}

/** The new content of a text. It also changes quotes of it, and `last_message` if it is the newest message. */
export interface EditEvent {
  conversation_id: number;
  message_id: number;
  content: string;
  display_content: string;
  /** `2026-01-31 16:00:00` */
  edited_at: string;
}

/** The current conversation; the member's settings are repeated outside of it. */
export interface UpdatedEvent extends Pick<ConversationResponse, 'pinned' | 'muted' | 'hidden'> {
  conversation: ConversationResponse;
}

/** An added or removed reaction; the same for all members who see the message. */
export interface ReactedEvent {
  conversation_id: number;
  message_id: number;
  user_id: number;
  /** The emoji in the form that was first used on the message. */
  emoji: string;
  reacted: boolean;
  /** Reactions with this emoji after the change. */
  count: number;
}

interface DeletedEvent {
  conversation_id: number;
  message_id: number;
  /** The conversation after the deletion. */
  conversation: ConversationResponse;
}

interface ClearedEvent {
  conversation_id: number;
  /** Null when there was no message. */
  up_to_message_id: number | null;
  conversation: ConversationResponse;
}

/**
 * Payload of a large group's event, as the log stores it once for all members. The topic's number is the conversation's
 * id; `seq` is the number of the message in the conversation.
 */
export interface GroupEvent {
  message: MessageView;
  seq: number;
}

/** A recall in a large group, with the mentions that the message had. */
export interface RecallInGroup extends GroupEvent {
  /** Missing in events of instances of the previous version. */
  mentioned?: Mentions;
}

/** An edit in a large group; the same for all members. */
export interface EditInGroup {
  edit: EditEvent;
  seq: number;
}

/** A reaction in a large group; the same for all members. */
export interface GroupReaction {
  reaction: ReactedEvent;
  seq: number;
}

declare module '../../events/log/event-types' {
  interface EventPayloads {
    'message.created': MessageEvent;
    'message.recalled': RecallEvent;
    'message.edited': EditEvent;
    'conversation.read': ReadEvent;
    'conversation.updated': UpdatedEvent;
    'conversation.left': { conversation_id: number };
    /** Ephemeral: not in any log. */
    'conversation.typing': { conversation_id: number; user_id: number; typing: boolean };
    'message.reacted': ReactedEvent;
    'message.deleted': DeletedEvent;
    'conversation.cleared': ClearedEvent;
  }

  /** Topics are large groups; no other module has topics. */
  interface TopicPayloads {
    'message.created': GroupEvent;
    'message.recalled': RecallInGroup;
    'message.edited': EditInGroup;
    'message.reacted': GroupReaction;
    /** Empty: each connected member receives the group's current state. */
    'conversation.updated': Record<string, never>;
  }
}
