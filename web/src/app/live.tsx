import type { ConversationsState, LiveConversations, UnreadNotificationsResponse } from '@callboard/client';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { callboard } from '../shared/callboard';
import { useLiveStore, useLiveValue } from './live-store';

interface Live {
  conversations: LiveConversations | undefined;
  conversationsState: ConversationsState | undefined;
  unreadNotifications: UnreadNotificationsResponse | undefined;
}

const LiveContext = createContext<Live | null>(null);

const openConversations = () => callboard.live.conversations();
const openUnread = () => callboard.live.unreadNotifications();

/**
 * Provides the live state that all screens need: the conversation list and the unread notification counts. Only the client package
 * applies events to them (docs/events.md).
 */
export function LiveProvider({ children }: { children: ReactNode }) {
  const conversations = useLiveStore(openConversations);
  const conversationsState = useLiveValue(conversations);
  const unreadNotifications = useLiveValue(useLiveStore(openUnread));
  const live = useMemo(
    () => ({ conversations, conversationsState, unreadNotifications }),
    [conversations, conversationsState, unreadNotifications],
  );
  return <LiveContext value={live}>{children}</LiveContext>;
}

export function useLive(): Live {
  const live = useContext(LiveContext);
  if (live === null) throw new Error('Outside of LiveProvider');
  return live;
}
