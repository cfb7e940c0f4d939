import { useSyncExternalStore } from 'react';
import { trySetItem } from '../../shared/try-set-item';

export interface StoredSwitch {
  isOn: () => boolean;
  /** Changes the switch in all tabs, and for later visits. */
  set: (isOn: boolean) => void;
  use: () => boolean;
}

/** Creates a switch that is stored in this browser and on by default. `name`: its `localStorage` key. */
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
    set: (isOn) => {
      if (isOn) localStorage.removeItem(name);
      else trySetItem(localStorage, name, '1');
      for (const listener of listeners) listener();
    },
    use: () => useSyncExternalStore(subscribe, isOn),
  };
}
