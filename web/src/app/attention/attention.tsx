import type { Conversation, UserEvent } from '@callboard/client';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { callboard } from '../../shared/callboard';
import { idle } from '../../shared/parts/prefetch';
import { queryClient } from '../../shared/query-client';
import { personQuery } from '../calls/person-query';
import { useLive } from '../live';
import { setBadge } from '../push/use-push';
import { useUnread } from '../shell/unread';
import { useEvents } from '../use-events';
import { closeNotificationsOf, showNotification } from './browser-notifications';
import { type Dismissal, toDismissal } from './dismissal';
import { PendingNotifications } from './pending-notifications';
import { chime } from './sounds';
import { isLeaderTab, getVisiblePaths, useVisiblePath, useLeaderTab } from './tabs';

const getName = (userId: number): Promise<string | undefined> =>
  queryClient.fetchQuery(personQuery(userId)).then(
    ({ name }) => name,
    () => undefined,
  );

/** Loads the code that describes events. It is a separate chunk, because the first screen does not need it. */
const loadTexts = () => import('./desktop-notification');

const pending = new PendingNotifications();

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
  useVisiblePath(path);
  // Loaded before an update of the service deletes the chunk. After a failure the next event tries again.
  useEffect(
    () =>
      void idle()
        .then(loadTexts)
        .catch(() => undefined),
    [],
  );

  const getConversation = async (id: number): Promise<Conversation> =>
    conversationsState?.conversations.find(({ id: listedId }) => listedId === id) ??
    callboard.conversations.get({ path: { id } });
  const notify = async (event: UserEvent, isDismissed: Dismissal): Promise<void> => {
    const { toDesktopNotification } = await loadTexts();
    const notification = await toDesktopNotification(event, { getConversation, getName }, t);
    if (notification === undefined) return;
    const visiblePaths = await getVisiblePaths();
    const { path: target, hiddenWhileShowing } = notification;
    const isObsolete = (): boolean => isDismissed(notification);
    if (isObsolete()) return;
    if (hiddenWhileShowing !== undefined && visiblePaths.includes(hiddenWhileShowing)) return;
    // Calls have their own ringing sound.
    if (event.type !== 'call.ringing') chime();
    if (visiblePaths.length === 0)
      await showNotification(notification, {
        isObsolete,
        onOpen: () => target !== undefined && navigate(target),
      });
  };
  useEvents((event) => {
    if (!isLeaderTab()) return;
    const dismissal = toDismissal(event);
    if (dismissal !== undefined) {
      pending.dismiss(dismissal);
      closeNotificationsOf(dismissal);
    }
    // Without its conversation a message cannot be announced. The conversation list shows the loading error.
    pending.prepare((isDismissed) => notify(event, isDismissed)).catch(() => undefined);
  });
  return null;
}

/** Shows the number of unread messages and notifications in the title: `(3) Callboard`, and at the icon of an installed app. */
function useTitleBadge(): void {
  const { t } = useTranslation('client');
  const { messages, notifications } = useUnread();
  const count = messages + notifications;
  const title = t('title');
  useEffect(() => {
    document.title = count > 0 ? `(${count}) ${title}` : title;
    setBadge(count);
  }, [count, title]);
}
