import { useEffect } from 'react';

/*
 * What the tabs of a browser must know of each other before one of them calls for attention. Locks tell it, since a tab that is
 * closed, or dies, leaves none behind. Over plain http there are none, and each tab speaks for itself.
 */

const TELLER = 'callboard teller';
const SEEN = 'callboard seen ';

let isLeaderTabHere = false;

/** The locks of the browser; pages over plain http have none. */
const locks = (): LockManager | undefined => (navigator as Partial<Navigator>).locks;

/** Whether this is the tab that tells of things, for all of them. */
export const isLeaderTab = (): boolean => isLeaderTabHere || locks() === undefined;

/** Makes this tab the one that tells as soon as no other does. */
export function useLeaderTab(): void {
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    hold(TELLER, 'exclusive', signal, () => {
      isLeaderTabHere = true;
      signal.addEventListener('abort', () => (isLeaderTabHere = false));
    });
    return () => ending.abort();
  }, []);
}

/** Lets all tabs know what this one shows, as long as it can be seen. */
export function useSeen(path: string): void {
  useEffect(() => {
    let showing: AbortController | undefined;
    const look = (): void => {
      showing?.abort();
      if (document.visibilityState === 'hidden') return;
      showing = new AbortController();
      hold(SEEN + path, 'shared', showing.signal);
    };
    look();
    document.addEventListener('visibilitychange', look);
    return () => {
      showing?.abort();
      document.removeEventListener('visibilitychange', look);
    };
  }, [path]);
}

/** The paths that can be seen at the moment, in whatever tab. */
export async function seenPaths(): Promise<string[]> {
  const manager = locks();
  if (manager === undefined) return document.visibilityState === 'hidden' ? [] : [location.pathname];
  const { held = [] } = await manager.query();
  return held.flatMap(({ name = '' }) => (name.startsWith(SEEN) ? [name.slice(SEEN.length)] : []));
}

/** Holds a lock, as soon as it can be had, until `signal` aborts. */
function hold(name: string, mode: LockMode, signal: AbortSignal, onHeld?: () => void): void {
  const holding = async (): Promise<void> => {
    onHeld?.();
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  };
  locks()
    ?.request(name, { mode, signal }, holding)
    // Given up before it was there.
    .catch(() => undefined);
}
