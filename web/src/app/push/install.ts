import { useSyncExternalStore } from 'react';

/** Event of Chromium with which a page can offer its installation. */
interface InstallEvent extends Event {
  prompt(): Promise<unknown>;
}

/** `prompt`: the page can open the browser's dialog; `ios`: only the user can, in the share menu; `none`: installed or impossible. */
export type InstallState = 'none' | 'prompt' | 'ios';

let offered: InstallEvent | undefined;
const listeners = new Set<() => void>();

function set(next: InstallEvent | undefined): void {
  offered = next;
  for (const listener of listeners) listener();
}

/** Keeps the browser's offer to install the page until the user opens it in the settings. Call it before the page has loaded. */
export function followInstallOffers(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    set(event as InstallEvent);
  });
  window.addEventListener('appinstalled', () => set(undefined));
}

/** Whether this is a browser of iOS or iPadOS, which reports itself as a Mac with a touch screen. */
export const isIos = (): boolean =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);

function state(): InstallState {
  if (matchMedia('(display-mode: standalone)').matches) return 'none';
  if (offered !== undefined) return 'prompt';
  return isIos() && isSecureContext ? 'ios' : 'none';
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns how this page can be installed, updated live. */
export const useInstallState = (): InstallState => useSyncExternalStore(subscribe, state);

/** Opens the browser's dialog. It can be opened once per offer. */
export async function install(): Promise<void> {
  const event = offered;
  set(undefined);
  await event?.prompt();
}
