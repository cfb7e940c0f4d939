import { clear, createStore } from 'idb-keyval';
import { UPLOADS_KEY } from './unsent-storage';

/** The unsent files of this browser by their id, in IndexedDB. */
export const unsentFiles = createStore('callboard-uploads', 'uploads');

export const forgetUnsentFiles = (): Promise<void> => {
  localStorage.removeItem(UPLOADS_KEY);
  return clear(unsentFiles).catch(() => undefined);
};
