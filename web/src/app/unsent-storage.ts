import { callboard } from '../shared/callboard';

/** Prefix of the `localStorage` keys that hold drafts. */
export const DRAFT_PREFIX = 'callboard.draft.';
/** `localStorage` key that exists while this browser may have unsent files, which are in IndexedDB. */
export const UPLOADS_KEY = 'callboard.uploads';
/** `sessionStorage` key of the tab's unsent messages. */
export const OUTBOX_KEY = 'callboard.outbox';

/**
 * Deletes drafts, unsent messages and unsent files at a log-out, so that the next user of this browser cannot read them. An expired session
 * keeps them, because the user continues after signing in again.
 */
callboard.session.onChange((user, end) => {
  if (user !== null || end !== 'logged_out') return;
  sessionStorage.removeItem(OUTBOX_KEY);
  if (localStorage.getItem(UPLOADS_KEY) !== null)
    void import('./chat/uploads/upload-storage').then(({ forgetAllUploads }) => forgetAllUploads());
  for (const key of Object.keys(localStorage)) if (key.startsWith(DRAFT_PREFIX)) localStorage.removeItem(key);
});
