import type { Conversation, UserEvent } from '@callboard/client';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { callboard } from '../../shared/callboard';
import { queryClient } from '../../shared/query-client';
import { personQuery } from '../calls/person-query';
import { useLive } from '../live';
import { useUnread } from '../shell/unread';
import { useEvents } from '../use-events';
import { closeNotification, showNotification } from './browser-notifications';
import { endedBy, newsOf } from './news';
import { chime } from './sounds';
import { isLeaderTab, seenPaths, useSeen, useLeaderTab } from './tabs';

const nameOf = (userId: number): Promise<string | undefined> =>
  queryClient.fetchQuery(personQuery(userId)).then(
    ({ name }) => name,
    () => undefined,
  );

/**
 * Attracts attention with the unread count in the title of every tab, a chime, and browser notifications. Only the leader tab chimes
 * and shows notifications. It does neither for content that a visible tab shows, and shows no notification while any tab is visible.
 */
export function Attention() {
  const { t } = useTranslation('client');
  const { conversationsState } = useLive();
  const [path, navigate] = useLocation();
  useTitleBadge();
  useLeaderTab();
  useSeen(path);

  const conversationOf = async (id: number): Promise<Conversation> =>
    conversationsState?.conversations.find(({ id: listedId }) => listedId === id) ??
    callboard.conversations.get({ path: { id } });
  const tell = async (event: UserEvent): Promise<void> => {
    const news = await newsOf(event, { conversationOf, nameOf }, t);
    if (news === undefined) return;
    const seen = await seenPaths();
    const { path: target, seenAt } = news;
    if (seenAt !== undefined && seen.includes(seenAt)) return;
    // Calls have their own ringing sound.
    if (event.type !== 'call.ringing') chime();
    if (seen.length === 0) showNotification(news, () => target !== undefined && navigate(target));
  };
  useEvents((event) => {
    if (!isLeaderTab()) return;
    const over = endedBy(event);
    if (over !== undefined) closeNotification(over);
    // Without its conversation a message cannot be announced. The conversation list shows the loading error.
    tell(event).catch(() => undefined);
  });
  return null;
}

/** Shows the number of unread messages and notifications in the title: `(3) Callboard`. */
function useTitleBadge(): void {
  const { t } = useTranslation('client');
  const { messages, notifications } = useUnread();
  const count = messages + notifications;
  const title = t('title');
  useEffect(() => {
    document.title = count > 0 ? `(${count}) ${title}` : title;
  }, [count, title]);
}
