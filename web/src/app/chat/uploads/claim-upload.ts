/**
 * Claims a file for this tab until it is closed, and returns whether no other tab has claimed it. Over plain HTTP, which has no locks,
 * two tabs may upload the same file; its message is stored once all the same.
 */
export function claimUpload(id: string): Promise<boolean> {
  if (navigator.locks === undefined) return Promise.resolve(true);
  return new Promise((resolve) => {
    void navigator.locks.request(`callboard upload ${id}`, { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock === null ? undefined : new Promise(() => undefined);
    });
  });
}
