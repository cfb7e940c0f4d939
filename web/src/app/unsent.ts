import { callboard } from '../shared/callboard';

/** Where drafts are kept: what begins like this, in `localStorage`. */
export const DRAFTS = 'callboard.draft.';
/** Where a tab keeps what it has not sent yet, in `sessionStorage`. */
export const OUTBOX = 'callboard.outbox';

/** Whoever uses this browser next shall not read what was being written; a session that only ran out is gone on with. */
callboard.session.onChange((user, end) => {
  if (user !== null || end !== 'logged_out') return;
  sessionStorage.removeItem(OUTBOX);
  for (const key of Object.keys(localStorage)) if (key.startsWith(DRAFTS)) localStorage.removeItem(key);
});
