import { type ErrorCode, type SendMessageRequest, uniqueId } from '@callboard/client';
import { trySetItem } from '../../shared/try-set-item';
import { OUTBOX_PREFIX } from '../../shared/unsent-storage';
import { claim } from './claim';

/*
 * Unsent messages in the browser, one entry per page. A page claims its entry until it is closed; the user's next page then adopts
 * it. Over plain HTTP, which has no locks, entries are kept for the tab only, because another tab would send them too.
 */

export interface StoredError {
  code: ErrorCode;
  message: string;
  status: number;
  requestId?: string;
}

/** Unsent messages of one page. */
export interface StoredOutbox {
  /** Requests by conversation id, oldest first. */
  bodies: Record<number, SendMessageRequest[]>;
  /** Errors of messages that failed, by `client_msg_id`. */
  errors: Record<string, StoredError>;
}

/** Key of this page's entry, and name of its lock. */
let ownKey: string | undefined;

const storageOfOutbox = (): Storage => (navigator.locks === undefined ? sessionStorage : localStorage);

/**
 * Begins an entry for the unsent messages of a user. Those of the user's closed pages are moved to `adopt`, unless the new entry is
 * closed meanwhile.
 */
export async function openOutbox(userId: number, adopt: (outbox: StoredOutbox) => void): Promise<void> {
  const storage = storageOfOutbox();
  const prefix = `${OUTBOX_PREFIX}${userId}.`;
  const keys = Object.keys(storage).filter((key) => key.startsWith(prefix));
  const key = prefix + uniqueId();
  ownKey = key;
  void claim(key);
  for (const left of keys) {
    const isClaimed = await claim(left);
    if (ownKey !== key) return;
    const stored = storage.getItem(left);
    if (!isClaimed || stored === null) continue;
    storage.removeItem(left);
    adopt(JSON.parse(stored) as StoredOutbox);
  }
}

/** Leaves the entry as it is, for the next session of its user. */
export function closeOutbox(): void {
  ownKey = undefined;
}

/** Stores the unsent messages of this page; undefined if there are none. */
export function keepOutbox(outbox: StoredOutbox | undefined): void {
  if (ownKey === undefined) return;
  if (outbox === undefined) storageOfOutbox().removeItem(ownKey);
  else trySetItem(storageOfOutbox(), ownKey, JSON.stringify(outbox));
}
