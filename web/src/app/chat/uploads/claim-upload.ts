/** Claims of this tab by their id, so that it does not refuse itself a second file of the same message. */
const claims = new Map<string, Promise<boolean>>();

/**
 * Claims files for this tab until it is closed, and returns whether no other tab has claimed them. `id` is that of a file in the
 * composer, or the `client_msg_id` of a message: one tab sends all files of a message. Over plain HTTP, which has no locks, two tabs
 * may upload the same file; its message is stored once all the same.
 */
export function claimUpload(id: string): Promise<boolean> {
  const claim = claims.get(id) ?? requestLock(id);
  claims.set(id, claim);
  return claim;
}

function requestLock(id: string): Promise<boolean> {
  if (navigator.locks === undefined) return Promise.resolve(true);
  return new Promise((resolve) => {
    void navigator.locks.request(`callboard upload ${id}`, { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock === null ? undefined : new Promise(() => undefined);
    });
  });
}
