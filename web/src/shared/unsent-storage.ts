/** Prefix of the `localStorage` keys that hold drafts. */
export const DRAFT_PREFIX = 'callboard.draft.';
/** `localStorage` key that exists while this browser may have unsent files, which are in IndexedDB. */
export const UPLOADS_KEY = 'callboard.uploads';
/** `sessionStorage` key of the tab's unsent messages. */
export const OUTBOX_KEY = 'callboard.outbox';
