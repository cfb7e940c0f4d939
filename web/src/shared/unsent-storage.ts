/** Prefix of the `localStorage` keys that hold drafts. */
export const DRAFT_PREFIX = 'callboard.draft.';
/** `localStorage` key that exists while this browser may have unsent files, which are in IndexedDB. */
export const UPLOADS_KEY = 'callboard.uploads';
/** Prefix of the keys that hold unsent messages, in `localStorage` or, over plain HTTP, in `sessionStorage`. */
export const OUTBOX_PREFIX = 'callboard.outbox.';
