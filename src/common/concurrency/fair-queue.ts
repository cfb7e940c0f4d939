/** A caller that waits: it has one place in the line, however many of its items wait. */
interface Place {
  caller: string | undefined;
  /** Hands each item its slot. */
  waiting: ((leave: () => void) => void)[];
}

export interface FairQueueOptions {
  /** Number of slots. */
  slots: number;
  /** Maximum number of slots that one caller occupies at a time. */
  perCaller: number;
  /**
   * Lets the event loop turn before the next item gets a slot that was given back. For work that never waits for input or
   * output: items that wait would else follow each other without a request being read. Default: false.
   */
  yields?: boolean;
  /**
   * Rest of a caller that has more items waiting, as a multiple of the time that its last item occupied a slot, at most
   * `MAX_REST_MS`. The slot goes to other callers, but counts as occupied by this one. Bounds the share of the process that one
   * caller uses. Default: 0.
   */
  restRatio?: (caller: string) => number;
}

/** An item that took longer than half of this waited for locks or for an outage, and did not use the process meanwhile. */
const MAX_REST_MS = 1_000;
/** Items that take less time than this many milliseconds cause no rest: a timer would cost more than they do. */
const MIN_TIME_BEFORE_REST_MS = 5;

/**
 * Semaphore whose waiters are served by caller in turn (round robin), each caller's own in their order. A caller that asks
 * for very much waits for itself: another one that asks for a slot waits for one turn of each caller before it, not for
 * everything that they ask for. Items without a caller count as one caller each.
 */
export class FairQueue {
  #used = 0;
  #waiting = 0;
  /** A slot is free and goes to an item that waits, in the next turn of the event loop. */
  #isYielding = false;
  /** Number of slots that each caller occupies; callers without any are absent. */
  readonly #usedBy = new Map<string, number>();
  readonly #line: Place[] = [];

  constructor(private readonly options: FairQueueOptions) {}

  /** Number of items that occupy a slot. */
  get used(): number {
    return this.#used;
  }

  /** Number of items that wait for a slot. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Takes a slot when it is the caller's turn.
   * @returns a function that gives the slot back; later calls of it have no effect
   */
  acquire(caller: string | undefined): Promise<() => void> {
    // While a slot is free otherwise, all that wait have as many as they may.
    if (!this.#isYielding && this.#used < this.options.slots && this.#mayHaveMore(caller))
      return Promise.resolve(this.#occupy(caller));
    this.#waiting += 1;
    return new Promise((resolve) => this.#placeOf(caller).waiting.push(resolve));
  }

  #mayHaveMore(caller: string | undefined): boolean {
    return caller === undefined || (this.#usedBy.get(caller) ?? 0) < this.options.perCaller;
  }

  #placeOf(caller: string | undefined): Place {
    const known = caller === undefined ? undefined : this.#line.find((place) => place.caller === caller);
    if (known !== undefined) return known;
    const place: Place = { caller, waiting: [] };
    this.#line.push(place);
    return place;
  }

  #occupy(caller: string | undefined): () => void {
    this.#used += 1;
    if (caller !== undefined) this.#usedBy.set(caller, (this.#usedBy.get(caller) ?? 0) + 1);
    const since = performance.now();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#vacate(caller, performance.now() - since);
    };
  }

  #vacate(caller: string | undefined, occupiedMs: number): void {
    this.#used -= 1;
    if (caller !== undefined) {
      const restMs = this.#restAfter(caller, occupiedMs);
      if (restMs === 0) this.#endTurn(caller);
      else
        setTimeout(() => {
          this.#endTurn(caller);
          this.#serveNext();
        }, restMs);
    }
    this.#serveNext();
  }

  /** Milliseconds. */
  #restAfter(caller: string, occupiedMs: number): number {
    const { restRatio } = this.options;
    if (restRatio === undefined || occupiedMs < MIN_TIME_BEFORE_REST_MS) return 0;
    return this.#line.some((place) => place.caller === caller)
      ? Math.min(restRatio(caller) * occupiedMs, MAX_REST_MS)
      : 0;
  }

  #endTurn(caller: string): void {
    const left = (this.#usedBy.get(caller) ?? 0) - 1;
    if (left > 0) this.#usedBy.set(caller, left);
    else this.#usedBy.delete(caller);
  }

  #serveNext(): void {
    if (this.options.yields !== true || this.#waiting === 0) return this.#serve();
    if (this.#isYielding) return;
    this.#isYielding = true;
    setImmediate(() => {
      this.#isYielding = false;
      this.#serve();
    });
  }

  #serve(): void {
    while (this.#used < this.options.slots) {
      const next = this.#line.findIndex((place) => this.#mayHaveMore(place.caller));
      const [place] = next === -1 ? [] : this.#line.splice(next, 1);
      const hand = place?.waiting.shift();
      if (place === undefined || hand === undefined) return;
      if (place.waiting.length > 0) this.#line.push(place);
      this.#waiting -= 1;
      hand(this.#occupy(place.caller));
    }
  }
}
