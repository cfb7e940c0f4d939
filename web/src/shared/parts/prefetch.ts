import type { LazyPart } from './lazy-part';

/** The requests of the first screen go first. */
const FIRST_AFTER_MS = 2_000;

/**
 * Loads parts one after the other while the browser is idle, so that they open without a network. Does nothing where the user
 * asks for less data. Returns how to stop.
 */
export function prefetchWhenIdle(parts: readonly Pick<LazyPart<never>, 'preload'>[]): () => void {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  if (connection?.saveData === true) return () => undefined;
  let isStopped = false;
  const loadAll = async (): Promise<void> => {
    for (const part of parts) {
      await idle();
      if (isStopped) return;
      await part.preload();
    }
  };
  const timer = setTimeout(() => void loadAll(), FIRST_AFTER_MS);
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

/** Resolves when the browser has nothing to do; Safari does not say. */
const idle = (): Promise<void> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve());
    else setTimeout(resolve);
  });
