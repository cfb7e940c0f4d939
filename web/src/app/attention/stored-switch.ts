import { useSyncExternalStore } from 'react';
import { keepItem } from '../../shared/keep-item';

export interface StoredSwitch {
  isOn: () => boolean;
  /** Switches it in all tabs, and for later visits. */
  set: (on: boolean) => void;
  use: () => boolean;
}

/** A switch of this browser, on until somebody switches it off. `name`: by which that is remembered. */
export function storedSwitch(name: string): StoredSwitch {
  const listeners = new Set<() => void>();
  const isOn = (): boolean => localStorage.getItem(name) === null;
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener);
    window.addEventListener('storage', listener);
    return () => {
      listeners.delete(listener);
      window.removeEventListener('storage', listener);
    };
  };
  return {
    isOn,
    set: (on) => {
      if (on) localStorage.removeItem(name);
      else keepItem(localStorage, name, '1');
      for (const listener of listeners) listener();
    },
    use: () => useSyncExternalStore(subscribe, isOn),
  };
}
