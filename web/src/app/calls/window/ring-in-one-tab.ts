import { ring } from '../../attention/sounds';

/** A tab that was never touched may not be heard, and one that is hidden is not where the user looks: others go first. */
const BEHIND_MS = { visible: 0, hidden: 150, untouched: 400 } as const;

/** Rings in one of all tabs in which the call rings, until the answered function is called. */
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
    // It ended before this tab's turn came.
    locks.request(name, { signal }, ringUntilEnded).catch(() => undefined);
  }, patience());
  return () => {
    clearTimeout(timer);
    ending.abort();
  };
}

function patience(): number {
  const isTouched = (navigator as Partial<Navigator>).userActivation?.hasBeenActive ?? true;
  return isTouched ? BEHIND_MS[document.visibilityState] : BEHIND_MS.untouched;
}

/** Pages over plain http cannot agree with each other. */
function ringWhileVisible(): () => void {
  let stop: (() => void) | undefined;
  const look = (): void => {
    stop?.();
    stop = document.visibilityState === 'visible' ? ring() : undefined;
  };
  document.addEventListener('visibilitychange', look);
  look();
  return () => {
    document.removeEventListener('visibilitychange', look);
    stop?.();
  };
}
