import { useEffect, useState, useSyncExternalStore } from 'react';
import type { CallboardError, LiveStore } from '@callboard/client';

/**
 * Opens a live store of the client package while the component is mounted. `open` must be the same function as long as the store
 * stays the same (`useCallback`). Returns undefined before the first effect has run.
 */
export function useLiveStore<Store extends LiveStore<unknown>>(open: () => Store): Store | undefined {
  const [store, setStore] = useState<Store>();
  useEffect(() => {
    const opened = open();
    // oxlint-disable-next-line react/set-state-in-effect -- the effect that opens the store has to close it
    setStore(opened);
    return () => {
      setStore(undefined);
      opened.close();
    };
  }, [open]);
  return store;
}

const subscribeToNothing = (): (() => void) => () => undefined;
const getUndefined = (): undefined => undefined;

/** Returns the current value of a store; undefined before its first snapshot. */
export const useLiveValue = <T>(store: LiveStore<T> | undefined): T | undefined =>
  useSyncExternalStore(store?.subscribe ?? subscribeToNothing, store?.getSnapshot ?? getUndefined);

/** Returns why a store could not be updated; undefined if there is no error. */
export const useLiveError = (store: LiveStore<unknown> | undefined): CallboardError | undefined =>
  useSyncExternalStore(store?.subscribe ?? subscribeToNothing, () => store?.error);
