import type { WorkerMessage } from '../src/shared/worker-message';
import { worker } from './scope';

const rank = ({ focused, visibilityState }: WindowClient): number =>
  focused ? 0 : visibilityState === 'visible' ? 1 : 2;

/** Returns the open pages of the web client, the focused and visible ones first. The panel has no calls and chats. */
export async function clientPages(): Promise<WindowClient[]> {
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  return pages
    .filter(({ url }) => !/^\/(admin|docs)(\/|$)/.test(new URL(url).pathname))
    .toSorted((a, b) => rank(a) - rank(b));
}

/**
 * Focuses an open page, or opens one.
 * @param path where a new page begins
 * @param message instruction for an open page; `answer` is sent to a new page too
 */
export async function openPage(path: string, message: Omit<WorkerMessage, 'type'>): Promise<void> {
  const [page] = await clientPages();
  const focused = await page?.focus();
  const opened = focused ?? (await worker.clients.openWindow(path));
  const { answer } = message;
  // A new page shows its path already. The browser keeps the message until the page has loaded.
  const content = focused === undefined ? { answer } : message;
  if (Object.values(content).some((value) => value !== undefined))
    opened?.postMessage({ type: 'callboard.open', ...content } satisfies WorkerMessage);
}
