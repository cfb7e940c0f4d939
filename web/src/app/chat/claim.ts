/** Locks of this page by their name, so that it does not refuse itself a second claim of the same lock. */
const claims = new Map<string, Promise<boolean>>();

/**
 * Claims a Web Lock for this page until it is closed. Returns false if another page holds the lock. Over plain HTTP, which has no
 * locks, every page gets it.
 */
export function claim(name: string): Promise<boolean> {
  const request = claims.get(name) ?? requestLock(name);
  claims.set(name, request);
  return request;
}

function requestLock(name: string): Promise<boolean> {
  if (navigator.locks === undefined) return Promise.resolve(true);
  return new Promise((resolve) => {
    void navigator.locks.request(name, { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock === null ? undefined : new Promise(() => undefined);
    });
  });
}

/**
 * Claims a file in the composer by its id, or all files of a message by its `client_msg_id`: one tab uploads them. Over plain HTTP, two
 * tabs may upload the same file; its message is stored once all the same.
 */
export const claimUpload = (id: string): Promise<boolean> => claim(`callboard upload ${id}`);
