import { useSyncExternalStore } from 'react';

/**
 * `on`: this browser receives pushes; `unreachable`: its push service does not respond; `off`: notifications are off or not
 * permitted, or the service sends no Web Push.
 */
export type PushState = 'off' | 'on' | 'unreachable';

let state: PushState = 'off';
const listeners = new Set<() => void>();

export function setPushState(next: PushState): void {
  state = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns whether this browser receives pushes, updated live. */
export const usePushState = (): PushState => useSyncExternalStore(subscribe, () => state);
