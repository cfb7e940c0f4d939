const SWEEP_INTERVAL_MS = 250;

interface Pending {
  /** On the clock of `performance.now()`. */
  until: number;
  onLate: () => void;
  /** Index in the list; -1 after the end. */
  index: number;
}

/**
 * Set of time-outs, usually with the same limit. One timer checks all of them, four times a second while there are any,
 * instead of one timer for each. `onLate` is therefore called up to a quarter of a second after the limit.
 */
export class TimeoutSet {
  /**
   * Unordered. Not a Set: each time a Set rehashes its table, the old table keeps pending entries from being collected
   * in the young generation, which makes garbage collection pauses ten times longer.
   */
  readonly #pending: Pending[] = [];
  #timer?: NodeJS.Timeout;

  /** @param limitMs default limit in milliseconds */
  constructor(readonly limitMs: number) {}

  /** Number of time limits that have started and are neither ended nor exceeded. */
  get count(): number {
    return this.#pending.length;
  }

  /**
   * Starts a time limit. The caller calls the returned function at the end of the work; otherwise `onLate` is called
   * once.
   * @param limitMs limit in milliseconds, if it differs from the default
   */
  start(onLate: () => void, limitMs = this.limitMs): () => void {
    const until = performance.now() + limitMs;
    const pending = { until, onLate, index: this.#pending.length };
    this.#pending.push(pending);
    this.#timer ??= setInterval(() => this.#sweep(), SWEEP_INTERVAL_MS).unref();
    return () => this.#end(pending);
  }

  #end(pending: Pending): void {
    if (pending.index === -1) return;
    const last = this.#pending.pop();
    if (last !== undefined && last !== pending) {
      this.#pending[pending.index] = last;
      last.index = pending.index;
    }
    pending.index = -1;
  }

  #sweep(): void {
    const now = performance.now();
    for (const pending of this.#pending.filter(({ until }) => until <= now)) {
      // `onLate` of another entry may have ended this one.
      if (pending.index === -1) continue;
      this.#end(pending);
      pending.onLate();
    }
    if (this.count > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
