import { uniqueId } from '@callboard/client';
import { trySetItem } from '../../shared/try-set-item';
import type { NotificationData } from '../../shared/worker-message';
import type { Dismissal } from '../attention/dismissal';

/** `localStorage` key of the id under which this browser is registered for pushes. */
const BROWSER = 'callboard.browser';

/** The service worker of this page; undefined over plain HTTP and in browsers without service workers. */
const container = (): ServiceWorkerContainer | undefined =>
  import.meta.env.PROD ? (navigator as Partial<Navigator>).serviceWorker : undefined;

/** Returns the id of this browser, the same at each visit. */
export function browserId(): string {
  const stored = localStorage.getItem(BROWSER);
  if (stored !== null) return stored;
  const id = uniqueId();
  trySetItem(localStorage, BROWSER, id);
  return id;
}

/** Registers the service worker, whose texts are in `language`. Returns undefined where there are none. */
export async function registerWorker(language: string): Promise<ServiceWorkerRegistration | undefined> {
  const workers = container();
  await workers?.register(`/sw.js?lang=${language}`);
  return workers?.ready;
}

/** Returns the registration of the service worker; undefined until there is one. */
export const getWorker = async (): Promise<ServiceWorkerRegistration | undefined> =>
  container()?.getRegistration('/');

/** Closes obsolete notifications of the service worker. */
export async function closeNotifications(dismissal: Dismissal): Promise<void> {
  const shown = (await (await getWorker())?.getNotifications()) ?? [];
  for (const notification of shown) {
    const { id } = (notification.data ?? {}) as Partial<NotificationData>;
    if (dismissal({ tag: notification.tag, id })) notification.close();
  }
}
