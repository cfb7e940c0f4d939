import type { NotificationData } from '../src/shared/worker-message';
import { declineCall } from './decline-call';
import { openPage } from './pages';
import { parsePush } from './push-payload';
import { worker } from './scope';
import { showPush } from './show-push';

/* The service worker of the web client: shows pushes and handles clicks on notifications. It caches nothing. */

worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()));
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()));

worker.addEventListener('push', (event) => {
  const push = parsePush(event.data);
  if (push !== undefined) event.waitUntil(showPush(push));
});

worker.addEventListener('notificationclick', (event) => {
  const { notification, action } = event;
  notification.close();
  event.waitUntil(handleClick(notification.data as NotificationData, action));
});

async function handleClick({ path, callId }: NotificationData, action: string): Promise<void> {
  if (callId === undefined) return openPage(path, { path });
  // A call rings above every screen of an open page.
  if (action !== 'decline') return openPage(path, { answer: action === 'answer' ? callId : undefined });
  try {
    await declineCall(callId);
  } catch {
    // The page shows why, and can decline the call.
    await openPage(path, {});
  }
}
