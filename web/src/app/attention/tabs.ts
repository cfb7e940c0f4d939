import { useEffect } from 'react';

/*
 * Elects a leader among the tabs of a browser, and shares the paths that visible tabs show. Web Locks are used, because the
 * browser releases them when a tab is closed or crashes. They do not exist over plain HTTP: every tab is a leader then.
 */

const LEADER = 'callboard leader';
const VISIBLE = 'callboard visible ';

let isLeaderTabHere = false;

/** Returns the browser's lock manager; undefined over plain HTTP. */
const locks = (): LockManager | undefined => (navigator as Partial<Navigator>).locks;

/** Whether this tab chimes and shows notifications on behalf of all tabs. */
export const isLeaderTab = (): boolean => isLeaderTabHere || locks() === undefined;

/** Makes this tab the leader as soon as no other tab is, until the component is unmounted. */
export function useLeaderTab(): void {
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    holdLock(LEADER, 'exclusive', signal, () => {
      isLeaderTabHere = true;
      signal.addEventListener('abort', () => (isLeaderTabHere = false));
    });
    return () => controller.abort();
  }, []);
}

/** Publishes the path that this tab shows to all tabs while the tab is visible. */
export function useVisiblePath(path: string): void {
  useEffect(() => {
    let controller: AbortController | undefined;
    const update = (): void => {
      controller?.abort();
      if (document.visibilityState === 'hidden') return;
      controller = new AbortController();
      holdLock(VISIBLE + path, 'shared', controller.signal);
    };
    update();
    document.addEventListener('visibilitychange', update);
    return () => {
      controller?.abort();
      document.removeEventListener('visibilitychange', update);
    };
  }, [path]);
}

/** Returns the paths that visible tabs show; over plain HTTP only this tab's. */
export async function getVisiblePaths(): Promise<string[]> {
  const manager = locks();
  if (manager === undefined) return document.visibilityState === 'hidden' ? [] : [location.pathname];
  const { held = [] } = await manager.query();
  return held.flatMap(({ name = '' }) => (name.startsWith(VISIBLE) ? [name.slice(VISIBLE.length)] : []));
}

/** Requests a lock and holds it until `signal` aborts. */
function holdLock(name: string, mode: LockMode, signal: AbortSignal, onAcquired?: () => void): void {
  const whileHeld = async (): Promise<void> => {
    onAcquired?.();
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  };
  locks()
    ?.request(name, { mode, signal }, whileHeld)
    // Rejects with an AbortError if `signal` aborts before the lock is granted.
    .catch(() => undefined);
}
