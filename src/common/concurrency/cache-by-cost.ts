/** Results of loads that take less time are not cached. */
const MIN_CACHED_LOAD_MS = 20;
/** Time in the cache per millisecond of load, so that loading takes at most one hundredth of the time. */
const AGE_PER_LOAD_MS = 100;
const MAX_AGE_MS = 60_000;

/**
 * Caches a result for a time proportional to the duration of its load: results of fast loads are always current, slow
 * loads take at most one hundredth of the time, and no result is older than a minute. Concurrent calls share one load.
 */
export function cacheByCost<T>(load: () => Promise<T>): () => Promise<T> {
  let cached: Promise<T> | undefined;
  let until = Infinity;
  const refresh = async (): Promise<T> => {
    const startedAt = performance.now();
    until = Infinity;
    try {
      const value = await load();
      const tookMs = performance.now() - startedAt;
      until =
        tookMs < MIN_CACHED_LOAD_MS ? 0 : performance.now() + Math.min(tookMs * AGE_PER_LOAD_MS, MAX_AGE_MS);
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
