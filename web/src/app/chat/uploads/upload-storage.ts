import { del, set, values } from 'idb-keyval';
import { trySetItem } from '../../../shared/try-set-item';
import { unsentFiles } from '../../../shared/unsent-files';
import { UPLOADS_KEY } from '../../../shared/unsent-storage';
import type { StoredUpload } from './upload';

/*
 * Unsent files, in the browser's database so that they survive a reload. Without one, as in some private windows, they are kept in
 * memory only: the functions never fail.
 */

/** Stores a file, or its new state. */
export const keepUpload = (upload: StoredUpload): Promise<void> => {
  trySetItem(localStorage, UPLOADS_KEY, '1');
  return set(upload.id, upload, unsentFiles).catch(() => undefined);
};

export const forgetUpload = (id: string): Promise<void> => del(id, unsentFiles).catch(() => undefined);

/** Returns the unsent files of a user, in the order in which they were attached. */
export const findUploads = async (userId: number): Promise<StoredUpload[]> => {
  const stored = await values<StoredUpload>(unsentFiles).catch(() => []);
  if (stored.length === 0) localStorage.removeItem(UPLOADS_KEY);
  return stored.filter((upload) => upload.userId === userId).toSorted((a, b) => a.attachedAt - b.attachedAt);
};
