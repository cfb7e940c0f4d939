import type { NotificationData } from '../src/shared/worker-message';
import { wasDeclinedHere } from './decline-call';
import { clientPages } from './pages';
import type { Push } from './push-payload';
import { worker } from './scope';
import { TEXTS } from './texts';

/** Options that browsers support and TypeScript does not know. */
interface ShownOptions extends NotificationOptions {
  actions?: { action: string; title: string }[];
  renotify?: boolean;
}

/**
 * Shows a push. While a page is visible, which shows calls, messages and notifications itself, it shows nothing and removes the
 * ring of a call that is over. Without one, the ring is replaced: browsers allow no push that shows nothing.
 */
export async function showPush(push: Push): Promise<void> {
  await setBadge(push.badge);
  const pages = await clientPages();
  const isVisible = pages.some(({ visibilityState }) => visibilityState === 'visible');
  const shown = await worker.registration.getNotifications({ tag: push.tag });
  const isOver = push.type === 'call.over';
  if ((isVisible && push.type !== 'test') || (isOver && wasDeclinedHere(push.callId))) {
    if (isOver) for (const ring of shown) ring.close();
    return;
  }
  // The page has shown it while it was in the background.
  const isKnown = shown.some(({ data }) => isDataOf(data, push));
  await worker.registration.showNotification(push.title, optionsOf(push, isKnown));
}

const isDataOf = (data: unknown, { id }: Push): boolean =>
  id !== undefined && (data as NotificationData | null)?.id === id;

function optionsOf(push: Push, isKnown: boolean): ShownOptions {
  const { type, body, tag, path, callId, id } = push;
  const isRing = type === 'call.ringing';
  const isSilent = push.isSilent || isKnown;
  return {
    body,
    tag,
    icon: '/icons/icon-192.png',
    badge: '/icons/badge-96.png',
    silent: isSilent,
    renotify: !isSilent,
    requireInteraction: isRing,
    data: { path, id, ...(isRing && { callId }) } satisfies NotificationData,
    ...(isRing && {
      actions: [
        { action: 'answer', title: TEXTS.answer },
        { action: 'decline', title: TEXTS.decline },
      ],
    }),
  };
}

/** Shows the number of unread messages and notifications at the icon of the installed app. */
async function setBadge(count: number | undefined): Promise<void> {
  const { setAppBadge } = navigator as Partial<WorkerNavigator>;
  // Some browsers have the function and refuse it to pages that are not installed.
  if (count !== undefined) await setAppBadge?.call(navigator, count).catch(() => undefined);
}
