/* Types of the responses about conversations. */

export interface Conversation {
  id: number;
  type: string;
  name: string;
  avatar: string | null;
  is_group: boolean;
  member_count: number | null;
  last_message: string | null;
  last_sender_name: string | null;
  time: string;
  last_message_at: string;
  unread_count: number;
  message_type: string | null;
  last_sent_at: string | null;
  last_read_message_id: number | null;
  muted: boolean;
  mute_until: string | null;
  pinned: boolean;
  hidden: boolean;
  role: string;
  peer_id: number | null;
  last_message_id: number | null;
  last_sender_id: number | null;
  last_is_recalled: boolean;
  last_is_deleted: boolean;
  last_notice: object | null;
  mention_id: number | null;
}

export interface Message {
  id: number;
  conversation_id: number;
  sender_id: number;
  sender_name: string | null;
  sender_avatar: string | null;
  is_self: boolean;
  type: string;
  content: string;
  display_content: string;
  extra: Record<string, unknown> | null;
  is_recalled: boolean;
  is_read: boolean;
  read_at: string | null;
  read_count: number;
  unread_count: number;
  time: string;
  created_at: string;
  sent_at: string;
  kind: string;
  reply_to: Quote | null;
  mentions: number[];
  mention_all: boolean;
  attachments: object[];
  is_forwarded: boolean;
  edited_at: string | null;
  client_msg_id: string | null;
  notice: Record<string, unknown> | null;
  reactions: Reaction[];
  is_deleted: boolean;
}

export interface Quote {
  id: number;
  sender_id: number;
  sender_name: string | null;
  type: string;
  display_content: string;
  is_recalled: boolean;
}

export interface Reaction {
  emoji: string;
  count: number;
  reacted: boolean;
}

export interface Reader {
  user_id: number;
  name: string | null;
  avatar: string | null;
  read_at: string;
}

export interface PageOf<T> {
  items: T[];
  pagination: {
    total: number;
    per_page: number;
    current_page: number;
    last_page: number;
    has_more: boolean;
  };
}
