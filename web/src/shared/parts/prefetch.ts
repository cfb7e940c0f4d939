import type { LazyPart } from './lazy-part';

/** Delay of the first prefetch, so that the requests of the first screen go first. */
const FIRST_AFTER_MS = 2_000;
/** Maximum wait for an idle browser. */
const IDLE_WITHIN_MS = 2_000;

/**
 * Loads parts one after the other while the browser is idle, so that they open without a network. Does nothing if the user has
 * enabled data saving. Returns a function that stops the prefetch.
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

/**
 * Resolves when the browser is idle, at the latest after two seconds: a tab in the background may never be idle. In the next task
 * if the browser has no `requestIdleCallback` (Safari).
 */
export const idle = (): Promise<void> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: IDLE_WITHIN_MS });
    else setTimeout(resolve);
  });
