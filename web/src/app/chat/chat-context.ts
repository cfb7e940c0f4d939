import { createContext, useContext } from 'react';
import type {
  ClientConfigResponse,
  ConversationResponse,
  LiveMessages,
  MessageResponse,
} from '@callboard/client';
import { useLiveValue } from '../live-store';

/** A dialog that can be open above a chat. */
export type ChatDialog =
  | { kind: 'readers' | 'reactions' | 'react' | 'forward' | 'recall' | 'delete'; message: MessageResponse }
  | { kind: 'date'; date: string }
  | { kind: 'clear' | 'block' | 'media' };

export interface Chat {
  conversation: ConversationResponse;
  messages: LiveMessages;
  /** Whether the user has blocked the peer of a single chat, so that no message can be sent. */
  isBlocked: boolean;
  /** Undefined until the client configuration is fetched. */
  limits: ClientConfigResponse['limits'] | undefined;
  reply: (message: MessageResponse) => void;
  edit: (message: MessageResponse) => void;
  react: (message: MessageResponse, emoji: string, reacted: boolean) => void;
  /** Scrolls to a message, which is loaded if necessary and gets the focus. `keepsFocus`: the focus stays where it is. */
  jumpTo: (messageId: number, how?: { keepsFocus?: boolean }) => void;
  openDialog: (dialog: ChatDialog) => void;
}

export const ChatContext = createContext<Chat | null>(null);

/** Returns the open chat. */
export function useOpenChat(): Chat {
  const chat = useContext(ChatContext);
  if (chat === null) throw new Error('Outside of a chat');
  return chat;
}

/** Returns the current state of a message of the open chat; the given one if the chat has it no longer loaded. */
export function useLiveMessage(message: MessageResponse): MessageResponse {
  const state = useLiveValue(useOpenChat().messages);
  return state?.messages.find(({ id }) => id === message.id) ?? message;
}
