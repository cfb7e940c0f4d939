const BETWEEN_LOOKS_MS = 250;

interface Pending {
  /** On the clock of `performance.now()`. */
  until: number;
  onLate: () => void;
  /** Where it is in the list; -1 once it is over. */
  index: number;
}

/**
 * Things that must be over within a limit, usually the same for all. One look at all of them, four times a second while there are any,
 * spares each a timer of its own; so what is late is told up to a quarter of a second later.
 */
export class TimeLimits {
  /**
   * In no order. Not a Set: each time that one cleans up, its old table keeps whatever was pending from being collected
   * while young, which makes the pauses of the garbage collector ten times longer.
   */
  readonly #pending: Pending[] = [];
  #timer?: NodeJS.Timeout;

  /** @param limitMs how long each may take */
  constructor(readonly limitMs: number) {}

  /** How many have begun and are neither over nor late. */
  get count(): number {
    return this.#pending.length;
  }

  /**
   * Starts a time limit. The caller calls the returned function at the end of the work; otherwise `onLate` is called once.
   * @param limitMs how long it may take, where that is not what the others may
   */
  begin(onLate: () => void, limitMs = this.limitMs): () => void {
    const until = performance.now() + limitMs;
    const pending = { until, onLate, index: this.#pending.length };
    this.#pending.push(pending);
    this.#timer ??= setInterval(() => this.#look(), BETWEEN_LOOKS_MS).unref();
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

  #look(): void {
    const now = performance.now();
    for (const pending of this.#pending.filter(({ until }) => until <= now)) {
      // What was told of another may have ended this one.
      if (pending.index === -1) continue;
      this.#end(pending);
      pending.onLate();
    }
    if (this.count > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
