import { type DebtOptions, WorkDebts } from './work-debts';

/** An item that takes this many milliseconds is long. */
const MIN_LONG_MS = 1;

/**
 * Frees a slot; later calls have no effect. `size`: the size of the item for debts; default: the milliseconds that it
 * took.
 */
export type Leave = (size?: number) => void;

/** A waiting caller: it has one entry in the queue, regardless of the number of its waiting items. */
interface WaitingCaller {
  caller: string | undefined;
  /** Resolve functions of the waiting items, in order of arrival. */
  waiting: ((leave: Leave) => void)[];
}

export interface FairQueueOptions {
  /** Number of slots. */
  slots: number;
  /** Maximum number of slots that one caller occupies at a time. */
  perCaller: number;
  /**
   * Waits for the next turn of the event loop before a freed slot is occupied again. For work that never waits for
   * input or output: waiting items would otherwise run one after the other, and no request would be read in between.
   * Default: false.
   */
  yields?: boolean;
  /**
   * Makes callers wait whose items took long, to limit the share of the process that one caller uses. Default: no
   * debts.
   */
  debts?: DebtOptions;
}

/**
 * Semaphore that serves the waiting callers in turn (round robin), and the items of one caller in order of arrival. A
 * caller with many items delays mainly itself: an item of another caller waits for one item of each caller before it,
 * not for all their items. Items without a caller count as one caller each.
 */
export class FairQueue {
  #used = 0;
  #waiting = 0;
  /** A freed slot is assigned to a waiting item in the next turn of the event loop. */
  #isYielding = false;
  /** Number of slots that each caller occupies; callers without any are absent. */
  readonly #usedBy = new Map<string, number>();
  readonly #queue: WaitingCaller[] = [];
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

  /** Occupies a slot when it is the caller's turn. */
  acquire(caller: string | undefined): Promise<Leave> {
    // If a slot is free without yielding, every waiting caller has `perCaller` slots or debts.
    if (!this.#isYielding && this.#used < this.options.slots && this.#mayStart(caller))
      return Promise.resolve(this.#occupy(caller));
    this.#waiting += 1;
    return new Promise((resolve) => this.#entryOf(caller).waiting.push(resolve));
  }

  /**
   * Whether an item may start without waiting. It must not overtake waiting items of its caller, which a timer serves
   * after a debt is paid.
   */
  #mayStart(caller: string | undefined): boolean {
    return this.#mayOccupy(caller) && (caller === undefined || !this.#isQueued(caller));
  }

  #mayOccupy(caller: string | undefined): boolean {
    if (caller === undefined) return true;
    return (this.#usedBy.get(caller) ?? 0) < this.options.perCaller && this.#debts?.isOver(caller) !== true;
  }

  #entryOf(caller: string | undefined): WaitingCaller {
    const existing = caller === undefined ? undefined : this.#queue.find((entry) => entry.caller === caller);
    if (existing !== undefined) return existing;
    const entry: WaitingCaller = { caller, waiting: [] };
    this.#queue.push(entry);
    return entry;
  }

  #occupy(caller: string | undefined): Leave {
    this.#used += 1;
    if (caller !== undefined) this.#usedBy.set(caller, (this.#usedBy.get(caller) ?? 0) + 1);
    const since = performance.now();
    let isFreed = false;
    return (size) => {
      if (isFreed) return;
      isFreed = true;
      this.#vacate(caller, performance.now() - since, size);
    };
  }

  #vacate(caller: string | undefined, occupiedMs: number, size = occupiedMs): void {
    this.#used -= 1;
    if (caller !== undefined) {
      this.#endTurn(caller);
      const waitMs = this.#addDebt(caller, size);
      // The timer must not keep the process alive.
      if (waitMs > 0) setTimeout(() => this.#serve(), waitMs).unref();
    }
    // Yields after a long item even if none is waiting: a caller that sends its items one after the other has none in
    // the queue.
    const mustYield = this.options.yields === true && (this.#waiting > 0 || occupiedMs >= MIN_LONG_MS);
    if (mustYield) this.#serveInNextTurn();
    else this.#serve();
  }

  /** Adds the debt for an item and returns the milliseconds that the caller has to wait. */
  #addDebt(caller: string, size: number): number {
    const isAlone = !this.#usedBy.has(caller) && !this.#isQueued(caller);
    return this.#debts?.add(caller, size, isAlone) ?? 0;
  }

  #isQueued(caller: string): boolean {
    return this.#waiting > 0 && this.#queue.some((entry) => entry.caller === caller);
  }

  #endTurn(caller: string): void {
    const remaining = (this.#usedBy.get(caller) ?? 0) - 1;
    if (remaining > 0) this.#usedBy.set(caller, remaining);
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
      const next = this.#queue.findIndex((entry) => this.#mayOccupy(entry.caller));
      const [entry] = next === -1 ? [] : this.#queue.splice(next, 1);
      const grant = entry?.waiting.shift();
      if (entry === undefined || grant === undefined) return;
      if (entry.waiting.length > 0) this.#queue.push(entry);
      this.#waiting -= 1;
      grant(this.#occupy(entry.caller));
    }
  }
}
