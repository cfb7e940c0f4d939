import { callboard } from './callboard';
import { DRAFT_PREFIX, OUTBOX_PREFIX, UPLOADS_KEY } from './unsent-storage';

/**
 * Deletes what a user has left in this browser when the user logs out on any page, so that the next user cannot read it:
 * drafts, unsent messages and files, notifications, and the badge. An expired session keeps the unsent ones, because the
 * user continues after signing in again.
 */
export function cleanUpAtLogOut(): void {
  let userId: number | undefined;
  callboard.session.onChange((user, end) => {
    const hasLoggedOut = user === null && end === 'logged_out';
    if (hasLoggedOut) forgetUnsent();
    if (hasLoggedOut || (user !== null && userId !== undefined && user.id !== userId))
      void clearNotifications().catch(() => undefined);
    userId = user?.id ?? userId;
  });
}

function forgetUnsent(): void {
  if (localStorage.getItem(UPLOADS_KEY) !== null)
    void import('./unsent-files').then(({ forgetUnsentFiles }) => forgetUnsentFiles());
  for (const storage of [localStorage, sessionStorage])
    for (const key of Object.keys(storage))
      if (key.startsWith(DRAFT_PREFIX) || key.startsWith(OUTBOX_PREFIX)) storage.removeItem(key);
}

/** Closes the notifications of the web client, and removes the badge of the installed app. */
async function clearNotifications(): Promise<void> {
  // Missing over plain HTTP, and in some browsers.
  const { serviceWorker, clearAppBadge } = navigator as Partial<Navigator>;
  await clearAppBadge?.call(navigator).catch(() => undefined);
  const worker = await serviceWorker?.getRegistration('/');
  for (const notification of (await worker?.getNotifications()) ?? []) notification.close();
}
