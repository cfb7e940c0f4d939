import { LRUCache } from 'lru-cache';

const MAX_KEYS = 100_000;

/** State of a counter: the hits in the current window and the remaining time of the window. */
export interface Usage {
  count: number;
  /** Whole seconds, at least 1. */
  secondsLeft: number;
}

/** Hits to count: a new window of `windowMs` begins if none is open. */
export interface Hits {
  windowMs: number;
  hits: number;
}

/** Counts hits per key in memory, in fixed windows that start with the first hit. The least recent keys are evicted. */
export class WindowCounters {
  readonly #windows: LRUCache<string, { count: number; endsAt: number }>;

  /** @param now returns the time in milliseconds */
  constructor(private readonly now: () => number) {
    // `maxSize` instead of `max`: with `max` the cache would allocate memory for all keys immediately.
    this.#windows = new LRUCache({ maxSize: MAX_KEYS, sizeCalculation: () => 1 });
  }

  /** Returns the usage of a key, after adding the given hits. */
  use(key: string, added?: Hits): Usage {
    const now = this.now();
    const open = this.#windows.get(key);
    const window = open !== undefined && open.endsAt > now ? open : undefined;
    if (added === undefined) return toUsage(window?.count, window?.endsAt, now);
    const { count, endsAt } = window ?? { count: 0, endsAt: now + added.windowMs };
    const counted = { count: count + added.hits, endsAt };
    this.#windows.set(key, counted);
    return toUsage(counted.count, endsAt, now);
  }
}

/** Builds a usage from the end of the window and the current time, in milliseconds. */
export const toUsage = (count = 0, endsAt = 0, now = 0): Usage => ({
  count,
  secondsLeft: Math.max(1, Math.ceil((endsAt - now) / 1000)),
});
