import { useQuery } from '@tanstack/react-query';
import { callboard } from '../../shared/callboard';
import { useLive } from '../live';

/** How much waits for the user. */
export interface Unread {
  /** Messages of conversations that are not muted. */
  messages: number;
  notifications: number;
}

/** How many messages and notifications are unread; 0 while that is not known. */
export function useUnread(): Unread {
  const { conversationsState, unreadNotifications } = useLive();
  const conversations = conversationsState?.conversations ?? [];
  const inList = conversations
    .filter(({ muted }) => !muted)
    .reduce((sum, { unread_count }) => sum + unread_count, 0);
  // Of a long list only the first pages are here: the service counts all of them, anew with each change of these.
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
