import { type DebtOptions, MIN_LONG_MS, WorkDebts } from './work-debts';

/** Gives a slot back; later calls have no effect. `size`: the size of the item for debts; default: the milliseconds that it took. */
export type Leave = (size?: number) => void;

/** A caller that waits: it has one place in the line, however many of its items wait. */
interface Place {
  caller: string | undefined;
  /** Hands each item its slot. */
  waiting: ((leave: Leave) => void)[];
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
  /** Lets callers wait whose items took long. Bounds the share of the process that one caller uses. Default: none waits. */
  debts?: DebtOptions;
}

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
  readonly #debts: WorkDebts | undefined;

  constructor(private readonly options: FairQueueOptions) {
    if (options.debts !== undefined) this.#debts = new WorkDebts(options.debts);
  }

  /** Number of items that occupy a slot. */
  get used(): number {
    return this.#used;
  }

  /** Number of items that wait for a slot. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Takes a slot when it is the caller's turn. */
  acquire(caller: string | undefined): Promise<Leave> {
    // While a slot is free otherwise, all that wait have as many as they may, or debts.
    if (!this.#isYielding && this.#used < this.options.slots && this.#mayStart(caller))
      return Promise.resolve(this.#occupy(caller));
    this.#waiting += 1;
    return new Promise((resolve) => this.#placeOf(caller).waiting.push(resolve));
  }

  /** A caller whose debt was paid a moment ago must not overtake its own items, which a timer is about to serve. */
  #mayStart(caller: string | undefined): boolean {
    return this.#mayHaveMore(caller) && (caller === undefined || !this.#isInLine(caller));
  }

  #mayHaveMore(caller: string | undefined): boolean {
    if (caller === undefined) return true;
    return (this.#usedBy.get(caller) ?? 0) < this.options.perCaller && this.#debts?.isOver(caller) !== true;
  }

  #placeOf(caller: string | undefined): Place {
    const known = caller === undefined ? undefined : this.#line.find((place) => place.caller === caller);
    if (known !== undefined) return known;
    const place: Place = { caller, waiting: [] };
    this.#line.push(place);
    return place;
  }

  #occupy(caller: string | undefined): Leave {
    this.#used += 1;
    if (caller !== undefined) this.#usedBy.set(caller, (this.#usedBy.get(caller) ?? 0) + 1);
    const since = performance.now();
    let isOver = false;
    return (size) => {
      if (isOver) return;
      isOver = true;
      this.#vacate(caller, performance.now() - since, size);
    };
  }

  #vacate(caller: string | undefined, occupiedMs: number, size = occupiedMs): void {
    this.#used -= 1;
    if (caller !== undefined) {
      this.#endTurn(caller);
      const waitMs = this.#addDebt(caller, size);
      // A process that ends does not wait for it.
      if (waitMs > 0) setTimeout(() => this.#serve(), waitMs).unref();
    }
    // Others whose items come one after the other have no item in the line.
    const mustYield = this.options.yields === true && (this.#waiting > 0 || occupiedMs >= MIN_LONG_MS);
    if (mustYield) this.#serveInNextTurn();
    else this.#serve();
  }

  /** Returns the milliseconds that the caller has to wait. */
  #addDebt(caller: string, size: number): number {
    const isAlone = !this.#usedBy.has(caller) && !this.#isInLine(caller);
    return this.#debts?.add(caller, size, isAlone) ?? 0;
  }

  #isInLine(caller: string): boolean {
    return this.#waiting > 0 && this.#line.some((place) => place.caller === caller);
  }

  #endTurn(caller: string): void {
    const left = (this.#usedBy.get(caller) ?? 0) - 1;
    if (left > 0) this.#usedBy.set(caller, left);
    else this.#usedBy.delete(caller);
  }

  #serveInNextTurn(): void {
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
