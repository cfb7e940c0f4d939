import { useSyncExternalStore } from 'react';
import type { NotificationData } from '../../shared/worker-message';
import { closeNotifications, getWorker } from '../push/worker';
import type { Dismissal } from './dismissal';
import { storedSwitch } from './stored-switch';

/**
 * `unsupported`: over plain HTTP, and in some browsers; `ask`: the page may ask for permission; `denied`: only the browser's
 * settings can change it; `on` and `off`: permitted, and switched on or off by the user in this browser.
 */
export type NotificationState = 'unsupported' | 'ask' | 'denied' | 'on' | 'off';

const stored = storedSwitch('callboard.notifications-off');
const listeners = new Set<() => void>();

/** Notifications that were shown without a service worker, by tag, with the id of what they show. */
const shown = new Map<string, { notification: Notification; id: number }>();

function state(): NotificationState {
  if (!isSecureContext || !('Notification' in window)) return 'unsupported';
  if (Notification.permission === 'default') return 'ask';
  if (Notification.permission === 'denied') return 'denied';
  return stored.isOn() ? 'on' : 'off';
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  const controller = new AbortController();
  // The user can change the permission in the browser's settings.
  void navigator.permissions
    ?.query({ name: 'notifications' })
    .then((status) => status.addEventListener('change', listener, { signal: controller.signal }));
  return () => {
    controller.abort();
    listeners.delete(listener);
  };
}

/** Returns the state of the browser's notifications, updated live. */
export function useBrowserNotifications(): NotificationState {
  stored.use();
  return useSyncExternalStore(subscribe, state);
}

/** Asks for permission. Call it on a click only: browsers may deny other requests permanently. */
export async function requestNotificationPermission(): Promise<void> {
  await Notification.requestPermission();
  stored.set(true);
  for (const listener of listeners) listener();
}

/** Switches notifications on or off in this browser; effective where they are permitted. */
export const setNotificationsEnabled = (isEnabled: boolean): void => stored.set(isEnabled);

export interface DesktopNotification {
  /** A later notification with the same tag replaces this one. */
  tag: string;
  title: string;
  body: string;
  /** Id of the message, notification or call. */
  id: number;
  /** Id of the call, if it rings. */
  callId?: number;
  /** Path that a click opens. Default: the click only focuses the page. */
  path?: string;
  /** Path of the screen that shows the content; no notification while a tab shows it. */
  hiddenWhileShowing?: string;
  /** Whether it stays on the screen until it is closed. Default: false. */
  requireInteraction?: boolean;
}

interface ShowOptions {
  /** Returns whether a later event has made the notification obsolete. */
  isObsolete: () => boolean;
  /** Called on a click, after the page has been focused. */
  onOpen: () => void;
}

/**
 * Shows a browser notification if they are on: by the service worker, which also handles the click, or without one by the page.
 * A notification that becomes obsolete meanwhile is not shown, or closed.
 */
export async function showNotification(
  { tag, title, body, id, callId, path = '/', requireInteraction = false }: DesktopNotification,
  { isObsolete, onOpen }: ShowOptions,
): Promise<void> {
  if (state() !== 'on') return;
  const data: NotificationData = { path, id, ...(callId !== undefined && { callId }) };
  // `silent`: the page plays its own sounds.
  const options = { body, tag, icon: '/icons/icon-192.png', silent: true, requireInteraction, data };
  const worker = await getWorker();
  if (isObsolete()) return;
  try {
    if (worker?.active) {
      await worker.showNotification(title, options);
      // The event that made it obsolete may have found no notification to close yet.
      if (isObsolete()) await closeNotifications((other) => other.tag === tag);
      return;
    }
  } catch {
    // Without permission for the worker the page may still have it.
  }
  if (isObsolete()) return;
  let notification: Notification;
  try {
    notification = new Notification(title, options);
  } catch {
    // Mobile browsers have the class, but only service workers may use it.
    return;
  }
  shown.set(tag, { notification, id });
  notification.addEventListener('click', () => {
    window.focus();
    notification.close();
    onOpen();
  });
  notification.addEventListener(
    'close',
    () => shown.get(tag)?.notification === notification && shown.delete(tag),
  );
}

/** Closes the notifications that match, those of the service worker too. */
export function closeNotificationsOf(dismissal: Dismissal): void {
  for (const [tag, { notification, id }] of shown) {
    if (!dismissal({ tag, id })) continue;
    notification.close();
    shown.delete(tag);
  }
  void closeNotifications(dismissal);
}
