import { ring } from '../../attention/sounds';

/**
 * Delay before a tab requests the ring lock, in ms. Browsers may mute a tab without user activation, and the user does not look at
 * a hidden one, so other tabs go first.
 */
const LOCK_DELAYS_MS = { visible: 0, hidden: 150, untouched: 400 } as const;

/** Rings in one of the tabs in which the call rings, until the returned function is called. */
export function ringInOneTab(callId: number): () => void {
  const locks = (navigator as Partial<Navigator>).locks;
  return locks === undefined ? ringWhileVisible() : ringWhileElected(locks, `callboard ring ${callId}`);
}

function ringWhileElected(locks: LockManager, name: string): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const ringUntilEnded = async (): Promise<void> => {
    const stop = ring();
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    stop();
  };
  const timer = setTimeout(() => {
    // Rejects with an AbortError if the call ends before this tab gets the lock.
    locks.request(name, { signal }, ringUntilEnded).catch(() => undefined);
  }, lockDelayMs());
  return () => {
    clearTimeout(timer);
    ending.abort();
  };
}

function lockDelayMs(): number {
  const isTouched = (navigator as Partial<Navigator>).userActivation?.hasBeenActive ?? true;
  return isTouched ? LOCK_DELAYS_MS[document.visibilityState] : LOCK_DELAYS_MS.untouched;
}

/** Rings while the tab is visible: over plain HTTP there are no locks, so the tabs cannot elect one. */
function ringWhileVisible(): () => void {
  let stop: (() => void) | undefined;
  const update = (): void => {
    stop?.();
    stop = document.visibilityState === 'visible' ? ring() : undefined;
  };
  document.addEventListener('visibilitychange', update);
  update();
  return () => {
    document.removeEventListener('visibilitychange', update);
    stop?.();
  };
}
