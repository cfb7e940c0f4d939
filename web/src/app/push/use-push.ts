import { useEffect } from 'react';
import { useLanguage } from '../../shared/i18n/i18n';
import { idle } from '../../shared/parts/prefetch';
import { useSession } from '../../shared/session';
import { useBrowserNotifications } from '../attention/browser-notifications';

/**
 * Keeps this browser subscribed to the user's pushes while notifications are permitted and on, again after each log-in: the service
 * sends no pushes to targets of a session that has ended. Never asks for permission.
 */
export function usePush(): void {
  const state = useBrowserNotifications();
  const language = useLanguage();
  const session = useSession();
  const userId = session.status === 'signed-in' ? session.user.id : undefined;
  useEffect(() => {
    if (userId === undefined || state === 'unsupported') return;
    idle()
      .then(() => import('./subscription'))
      .then(({ updateSubscription }) => updateSubscription(state === 'on', language))
      // The next visit tries again.
      .catch(() => undefined);
  }, [userId, state, language]);
}

/** Shows the number of unread messages and notifications at the icon of the installed app. */
export function setBadge(count: number): void {
  const { setAppBadge } = navigator as Partial<Navigator>;
  void setAppBadge?.call(navigator, count).catch(() => undefined);
}
