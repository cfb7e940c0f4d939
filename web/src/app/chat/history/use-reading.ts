import { useEffect, useState, useSyncExternalStore } from 'react';
import type { ConversationResponse, MessagesState } from '@callboard/client';
import { useOpenChat } from '../chat-context';

function onVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}

const useIsVisible = (): boolean =>
  useSyncExternalStore(onVisibility, () => document.visibilityState === 'visible');

interface Options {
  isAtEnd: boolean;
  /** Told when something comes that nobody sees. */
  onNew: (conversation: ConversationResponse) => void;
}

/** What is on the screen is read, and nothing else: the page is seen, and its newest message too. */
export function useReading(
  conversation: ConversationResponse,
  { messages }: MessagesState,
  { isAtEnd, onNew }: Options,
): void {
  const { messages: chat } = useOpenChat();
  const isReading = useIsVisible() && isAtEnd;
  const { unread_count: unread } = conversation;
  const newest = messages[0]?.id;
  useEffect(() => {
    // It is tried again with the next message, or when the page is seen again.
    if (isReading && unread > 0 && newest !== undefined) void chat.markRead().catch(() => undefined);
  }, [isReading, unread, newest, chat]);

  const [wasRead, setWasRead] = useState(unread === 0);
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- follows what the service tells
    if (unread === 0) setWasRead(true);
    else if (wasRead && !isReading) {
      setWasRead(false);
      onNew(conversation);
    }
  }, [unread, wasRead, isReading, conversation, onNew]);
}
