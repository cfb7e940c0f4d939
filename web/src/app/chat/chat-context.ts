import { createContext, useContext } from 'react';
import type { ConversationResponse, LiveMessages, MessageResponse } from '@callboard/client';
import { useLiveValue } from '../live-store';

/** What is asked above a chat. */
export type ChatDialog =
  | { kind: 'readers' | 'reactions' | 'forward' | 'recall' | 'delete'; message: MessageResponse }
  | { kind: 'clear' | 'group' | 'block' };

export interface Chat {
  conversation: ConversationResponse;
  messages: LiveMessages;
  /** Whether the user has blocked the peer of a single chat, so that no message can be sent. */
  isBlocked: boolean;
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

/** Returns a message of the open chat as it is now; as it was, when the chat does not keep it any more. */
export function useLiveMessage(message: MessageResponse): MessageResponse {
  const state = useLiveValue(useOpenChat().messages);
  return state?.messages.find(({ id }) => id === message.id) ?? message;
}
