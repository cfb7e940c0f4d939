import { useQuery } from '@tanstack/react-query';
import { callboard } from '../../shared/callboard';
import { useLive } from '../live';

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
  // Only the first pages of a long list are loaded: the service counts all of them, again after each change of the loaded ones.
  const { data } = useQuery({
    queryKey: ['unread-messages', inList],
    queryFn: ({ signal }) => callboard.conversations.countUnreadMessages({ signal }),
    enabled: conversationsState?.hasMore === true,
    placeholderData: (before) => before,
  });
  return {
    messages: conversationsState?.hasMore === true ? (data?.count ?? inList) : inList,
    notifications: unreadNotifications?.count ?? 0,
  };
}
