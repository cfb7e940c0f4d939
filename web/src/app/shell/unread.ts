import { useQuery } from '@tanstack/react-query';
import { callboard } from '../../shared/callboard';
import { queryClient } from '../../shared/query-client';
import { changedConversationId } from '../conversations/changed-conversation';
import { useLive } from '../live';
import { useEvents } from '../use-events';

/** The user's unread counts. */
export interface Unread {
  /** Messages of conversations that are not muted. */
  messages: number;
  notifications: number;
}

/** Returns the numbers of unread messages and notifications; 0 while they are unknown. */
export function useUnread(): Unread {
  const { conversationsState, unreadNotifications } = useLive();
  const conversations = conversationsState?.conversations ?? [];
  const inList = conversations
    .filter(({ muted }) => !muted)
    .reduce((sum, { unread_count }) => sum + unread_count, 0);
  // Only the first pages of a long list are loaded: the service counts all of them, again after each change of any of them.
  const { data } = useQuery({
    queryKey: ['unread-messages', inList],
    queryFn: ({ signal }) => callboard.conversations.countUnreadMessages({ signal }),
    enabled: conversationsState?.hasMore === true,
    placeholderData: (before) => before,
  });
  // A chat that is not loaded was read elsewhere, for example.
  useEvents((event) => {
    const changedId = changedConversationId(event);
    if (changedId !== undefined && !conversations.some(({ id }) => id === changedId))
      void queryClient.invalidateQueries({ queryKey: ['unread-messages'] });
  });
  return {
    messages: conversationsState?.hasMore === true ? (data?.count ?? inList) : inList,
    notifications: unreadNotifications?.count ?? 0,
  };
}
