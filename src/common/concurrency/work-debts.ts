export interface DebtOptions {
  /**
   * Returns the debt for an item in milliseconds per square millisecond that the item took; 0: none. The square spares short items:
   * other callers notice an item by its length, and only if it comes often.
   */
  factor: (caller: string) => number;
  /** Maximum debt in milliseconds for one item. An item that waited for locks or for an outage is long without having used the process. */
  maxMs: number;
  /** Debt in milliseconds above which a caller waits. */
  allowanceMs: number;
  /**
   * Maximum debt in milliseconds per millisecond for an item of a caller that has no other one in the queue; 0: none. With 1, a client
   * that waits for each response before its next request works half of the time, however slow the disk is. Default: no such maximum.
   */
  aloneFactor?: number;
}

/** Items that take less time than this many milliseconds, such as reads, cause no debt. */
export const MIN_LONG_MS = 1;
/** Number of callers from which on those without a debt are removed. */
const MAX_CALLERS = 1_000;

/**
 * Debts of callers for the time that their work took. Time pays them back, one millisecond per millisecond. A caller that works at
 * long intervals never waits; one that does heavy work without a break gets a small share of the time.
 */
export class WorkDebts {
  readonly #debts = new Map<string, { owedMs: number; at: number }>();

  constructor(private readonly options: DebtOptions) {}

  /**
   * Adds the debt for an item. `isAlone`: the caller has no other item in the queue.
   * @returns milliseconds until the caller may work again; 0 if it need not wait
   */
  add(caller: string, tookMs: number, isAlone = false): number {
    const { factor, maxMs, allowanceMs, aloneFactor = Infinity } = this.options;
    if (tookMs < MIN_LONG_MS) return 0;
    const debt = Math.min(factor(caller) * tookMs * tookMs, maxMs, isAlone ? aloneFactor * tookMs : Infinity);
    if (debt === 0) return 0;
    const owedMs = this.#owed(caller) + debt;
    if (this.#debts.size >= MAX_CALLERS) this.#removePaid();
    this.#debts.set(caller, { owedMs, at: performance.now() });
    // A timer may be a millisecond early.
    return owedMs > allowanceMs ? Math.ceil(owedMs - allowanceMs) + 1 : 0;
  }

  /** Whether the caller has to wait. */
  isOver(caller: string): boolean {
    return this.#owed(caller) > this.options.allowanceMs;
  }

  #owed(caller: string): number {
    const debt = this.#debts.get(caller);
    return debt === undefined ? 0 : Math.max(0, debt.owedMs - (performance.now() - debt.at));
  }

  #removePaid(): void {
    for (const caller of this.#debts.keys()) if (this.#owed(caller) === 0) this.#debts.delete(caller);
  }
}
