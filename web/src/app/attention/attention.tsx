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
 * Calls for attention, with what is unread in the title, a sound, and the browser's notifications. Of all tabs one does it, and
 * of what somebody sees anyway none.
 */
export function Attention() {
  const { t } = useTranslation('client');
  const { conversationsState } = useLive();
  const [path, navigate] = useLocation();
  useTitleBadge();
  useLeaderTab();
  useSeen(path);

  const conversationOf = async (id: number): Promise<Conversation> =>
    conversationsState?.conversations.find((known) => known.id === id) ??
    callboard.conversations.get({ path: { id } });
  const tell = async (event: UserEvent): Promise<void> => {
    const news = await newsOf(event, { conversationOf, nameOf }, t);
    if (news === undefined) return;
    const seen = await seenPaths();
    const { path: target, seenAt } = news;
    if (seenAt !== undefined && seen.includes(seenAt)) return;
    // Calls ring by themselves.
    if (event.type !== 'call.ringing') chime();
    if (seen.length === 0) showNotification(news, () => target !== undefined && navigate(target));
  };
  useEvents((event) => {
    if (!isLeaderTab()) return;
    const over = endedBy(event);
    if (over !== undefined) closeNotification(over);
    // A conversation that cannot be looked up cannot be told of; its list says what is wrong.
    tell(event).catch(() => undefined);
  });
  return null;
}

/** `(3) Callboard`, of three that are unread. */
function useTitleBadge(): void {
  const { t } = useTranslation('client');
  const { messages, notifications } = useUnread();
  const count = messages + notifications;
  const title = t('title');
  useEffect(() => {
    document.title = count > 0 ? `(${count}) ${title}` : title;
  }, [count, title]);
}
