import { TIMINGS } from '../timings';

/** Time in the cache per millisecond of load, so that loading takes at most one hundredth of the time. */
const AGE_PER_LOAD_MS = 100;
const MAX_AGE_MS = 60_000;

/**
 * Caches a result for a time proportional to the duration of its load: results of fast loads are always current, slow
 * loads take at most one hundredth of the time, and no result is older than a minute. Concurrent calls share one load.
 */
export const cacheByCost = <T>(load: () => Promise<T>): (() => Promise<T>) =>
  cacheLoad(load, (tookMs) =>
    tookMs < TIMINGS.cachedFromMs ? 0 : Math.min(tookMs * AGE_PER_LOAD_MS, MAX_AGE_MS),
  );

/**
 * Caches a result for `maxAgeMs(tookMs)` after it was loaded. Calls during the load share it. A failure is returned only
 * to the calls made before it; the next call loads again.
 */
export function cacheLoad<T>(load: () => Promise<T>, maxAgeMs: (tookMs: number) => number): () => Promise<T> {
  let cached: Promise<T> | undefined;
  let until = Infinity;
  const refresh = async (): Promise<T> => {
    const startedAt = performance.now();
    until = Infinity;
    try {
      const value = await load();
      const loadedAt = performance.now();
      until = loadedAt + maxAgeMs(loadedAt - startedAt);
      return value;
    } catch (error) {
      until = 0;
      throw error;
    }
  };
  return () => {
    if (cached === undefined || performance.now() >= until) cached = refresh();
    return cached;
  };
}
