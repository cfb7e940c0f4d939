import type { CallEntity } from '../../calls/entities/call.entity';
import type { ConversationEntity } from '../../messaging/entities/conversation.entity';
import type { MessageEntity } from '../../messaging/entities/message.entity';

/* The objects of pushes, as they are read at the moment of sending. */

/** The columns of a call that pushes contain. */
export type PushedCall = { id: number; caller_id: number; callee_id: number } & Pick<
  CallEntity,
  | 'media_type'
  | 'status'
  | 'end_reason'
  | 'version'
  | 'channel_name'
  | 'answered_terminal_id'
  | 'ring_expires_at'
>;

/** The newest unread message of a conversation that a member sees. */
export interface PushedMessage extends Pick<MessageEntity, 'type' | 'content'> {
  id: number;
  sender_id: number;
  conversation_id: number;
  user_id: number;
  unread_count: number;
  conversation_type: ConversationEntity['type'];
  /** Name of a group. */
  title: string;
}
