import { createContext, useContext } from 'react';
import type { ConversationResponse, LiveMessages, MessageResponse } from '@callboard/client';

/** What is asked above a chat. */
export type ChatDialog =
  | { kind: 'readers' | 'reactions' | 'forward' | 'recall' | 'delete'; message: MessageResponse }
  | { kind: 'clear' | 'group' };

export interface Chat {
  conversation: ConversationResponse;
  messages: LiveMessages;
  reply: (message: MessageResponse) => void;
  edit: (message: MessageResponse) => void;
  react: (message: MessageResponse, emoji: string, reacted: boolean) => void;
  /** Shows a message that may be far away. */
  jumpTo: (messageId: number) => void;
  ask: (dialog: ChatDialog) => void;
}

export const ChatContext = createContext<Chat | null>(null);

/** The chat that is open. */
export function useOpenChat(): Chat {
  const chat = useContext(ChatContext);
  if (chat === null) throw new Error('Outside of a chat');
  return chat;
}
