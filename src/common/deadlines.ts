const BETWEEN_LOOKS_MS = 250;

interface Pending {
  /** On the clock of `performance.now()`. */
  until: number;
  onLate: () => void;
}

/**
 * Things that must be over within the same time. One look at all of them, four times a second while there are any,
 * spares each a timer of its own; so what is late is told up to a quarter of a second later.
 */
export class Deadlines {
  /** The oldest first. */
  readonly #pending = new Set<Pending>();
  #timer?: NodeJS.Timeout;

  /** @param limitMs how long each may take */
  constructor(readonly limitMs: number) {}

  /** How many have begun and are neither over nor late. */
  get count(): number {
    return this.#pending.size;
  }

  /** Something begins; whoever gets the answer calls it when that is over, or `onLate` is called once. */
  begin(onLate: () => void): () => void {
    const pending = { until: performance.now() + this.limitMs, onLate };
    this.#pending.add(pending);
    this.#timer ??= setInterval(() => this.#look(), BETWEEN_LOOKS_MS).unref();
    return () => void this.#pending.delete(pending);
  }

  #look(): void {
    const now = performance.now();
    for (const pending of this.#pending) {
      if (pending.until > now) return;
      this.#pending.delete(pending);
      pending.onLate();
    }
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
