import { useSyncExternalStore } from 'react';
import { storedSwitch } from './stored-switch';

/**
 * `unsupported`: over plain http, and in some browsers; `ask`: the user may be asked; `denied`: only the browser's settings
 * help; `on` and `off`: allowed, and whether the user wants them here.
 */
export type NotificationState = 'unsupported' | 'ask' | 'denied' | 'on' | 'off';

const stored = storedSwitch('callboard.notifications-off');
const listeners = new Set<() => void>();

/** What is on the screen, by its tag. */
const shown = new Map<string, Notification>();

function state(): NotificationState {
  if (!isSecureContext || !('Notification' in window)) return 'unsupported';
  if (Notification.permission === 'default') return 'ask';
  if (Notification.permission === 'denied') return 'denied';
  return stored.isOn() ? 'on' : 'off';
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  const ending = new AbortController();
  // What is allowed may be changed in the browser's own settings.
  void navigator.permissions
    ?.query({ name: 'notifications' })
    .then((status) => status.addEventListener('change', listener, { signal: ending.signal }));
  return () => {
    ending.abort();
    listeners.delete(listener);
  };
}

/** How it stands with the browser's notifications. */
export function useBrowserNotifications(): NotificationState {
  stored.use();
  return useSyncExternalStore(subscribe, state);
}

/** Asks the user to allow them: for a click alone, or browsers refuse it for good. */
export async function askForNotifications(): Promise<void> {
  await Notification.requestPermission();
  stored.set(true);
  for (const listener of listeners) listener();
}

/** Whether they are wanted in this browser, where they are allowed. */
export const switchNotifications = (on: boolean): void => stored.set(on);

export interface News {
  /** What has the same tag takes its place. */
  tag: string;
  title: string;
  body: string;
  /** Where a click leads to; nowhere else when left out. */
  path?: string;
  /** Who has this in front sees it anyway. */
  seenAt?: string;
  /** Stays until it is over. */
  stays?: boolean;
}

/** Shows something beside the page. `onOpen`: somebody has clicked it; the page is in front by then. */
export function showNotification({ tag, title, body, stays = false }: News, onOpen: () => void): void {
  if (state() !== 'on') return;
  let notification: Notification;
  try {
    // The page has sounds of its own.
    notification = new Notification(title, {
      body,
      tag: `callboard ${tag}`,
      icon: '/favicon.svg',
      silent: true,
      requireInteraction: stays,
    });
  } catch {
    // Browsers of phones have the class and let only service workers use it.
    return;
  }
  shown.set(tag, notification);
  notification.addEventListener('click', () => {
    window.focus();
    notification.close();
    onOpen();
  });
  notification.addEventListener('close', () => shown.get(tag) === notification && shown.delete(tag));
}

/** Takes away what is over. */
export function closeNotification(tag: string): void {
  shown.get(tag)?.close();
  shown.delete(tag);
}
