import { useEffect, useState, useSyncExternalStore } from 'react';
import type { CallboardError, LiveStore } from '@callboard/client';

/**
 * Opens something of the client package that is kept up to date, and closes it with the component. `open` must be the same
 * function for the same thing (`useCallback`); undefined before the first effect has run.
 */
export function useLiveStore<Store extends LiveStore<unknown>>(open: () => Store): Store | undefined {
  const [store, setStore] = useState<Store>();
  useEffect(() => {
    const opened = open();
    // oxlint-disable-next-line react/set-state-in-effect -- only an effect is told when to close what it has opened
    setStore(opened);
    return () => {
      setStore(undefined);
      opened.close();
    };
  }, [open]);
  return store;
}

const toNothing = (): (() => void) => () => undefined;
const nothing = (): undefined => undefined;

/** The present value of a store; undefined until its first snapshot is there. */
export const useLiveValue = <T>(store: LiveStore<T> | undefined): T | undefined =>
  useSyncExternalStore(store?.subscribe ?? toNothing, store?.getSnapshot ?? nothing);

/** Why a store has nothing new; undefined while all is well. */
export const useLiveError = (store: LiveStore<unknown> | undefined): CallboardError | undefined =>
  useSyncExternalStore(store?.subscribe ?? toNothing, () => store?.error);
