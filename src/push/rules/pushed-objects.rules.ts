import type { CallStatus } from '../../calls/rules/call-state.rules';
import type { MessageType } from '../../messaging/rules/message-content.rules';

/* The objects of pushes, as they are read at the moment of sending. */

/** The columns of a call that pushes contain. */
export interface PushedCall {
  id: number;
  caller_id: number;
  callee_id: number;
  media_type: 'audio' | 'video';
  status: CallStatus;
  end_reason: string | null;
  version: number;
  channel_name: string;
  answered_terminal_id: string | null;
  ring_expires_at: Date;
}

/** The newest unread message of a conversation that a member sees. */
export interface PushedMessage {
  id: number;
  sender_id: number;
  type: MessageType;
  content: string;
  conversation_id: number;
  user_id: number;
  unread_count: number;
  conversation_type: 'single' | 'group';
  /** Name of a group. */
  title: string;
}
