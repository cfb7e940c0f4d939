import { useEffect, useState, useSyncExternalStore } from 'react';
import type { ConversationResponse, MessagesState } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import { useOpenChat } from '../chat-context';

function subscribeToVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}

const useIsVisible = (): boolean =>
  useSyncExternalStore(subscribeToVisibility, () => document.visibilityState === 'visible');

interface Options {
  isAtEnd: boolean;
  /** Called when messages arrive that are not visible. */
  onUnseen: (conversation: ConversationResponse) => void;
}

/** Marks a conversation as read while the page and the newest message are visible. */
export function useMarkRead(
  conversation: ConversationResponse,
  { messages }: MessagesState,
  { isAtEnd, onUnseen }: Options,
): void {
  const { messages: chat } = useOpenChat();
  const isReading = useIsVisible() && isAtEnd;
  const { unread_count: unread } = conversation;
  const newest = messages[0]?.id;
  useEffect(() => {
    if (!isReading || unread === 0 || newest === undefined) return undefined;
    // Retried after a reconnect, with the next message, or when the page becomes visible again.
    const markRead = (): void => void chat.markRead().catch(() => undefined);
    markRead();
    let isSubscribed = false;
    const unsubscribe = callboard.events.subscribe({
      // Called with the current state during `subscribe`.
      onState: (state) => isSubscribed && state === 'live' && markRead(),
    });
    isSubscribed = true;
    return unsubscribe;
  }, [isReading, unread, newest, chat]);

  const [wasRead, setWasRead] = useState(unread === 0);
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- derived from the service's unread count
    if (unread === 0) setWasRead(true);
    else if (wasRead && !isReading) {
      setWasRead(false);
      onUnseen(conversation);
    }
  }, [unread, wasRead, isReading, conversation, onUnseen]);
}
