import { TIMINGS } from '../timings';

export interface DebtOptions {
  /**
   * Returns the debt in milliseconds for an item of a size, which is the milliseconds that it took unless its user
   * gives another one.
   */
  debtMs: (size: number, caller: string) => number;
  /** Debt in milliseconds above which a caller waits. */
  allowanceMs: number;
  /**
   * Maximum debt in milliseconds per unit of size for an item of a caller that has no other item in the queue; 0: no
   * debt. With 1, a client that waits for each response before its next request works half of the time, regardless of
   * the speed of the disk.
   */
  aloneFactor: number;
}

/**
 * Returns a debt that grows with the square of the time that an item took, at most `maxMs`. The square spares short
 * items: other callers notice an item by its length.
 */
export const squareOfTime = (tookMs: number, factor: number, maxMs: number): number =>
  tookMs < TIMINGS.debtFromMs ? 0 : Math.min(factor * tookMs * tookMs, maxMs);

/** Number of stored callers from which callers without a debt are removed. */
const MAX_CALLERS = 1_000;

/**
 * Debts of callers for their work. A debt decreases by one millisecond per millisecond. A caller that works at long
 * intervals never waits; a caller that does heavy work without a break gets a small share of the time.
 */
export class WorkDebts {
  readonly #debts = new Map<string, { owedMs: number; at: number }>();

  constructor(private readonly options: DebtOptions) {}

  /**
   * Adds the debt for an item. `isAlone`: the caller has no other item in the queue.
   * @returns milliseconds until the caller may work again; 0 if it need not wait
   */
  add(caller: string, size: number, isAlone = false): number {
    const { debtMs, allowanceMs, aloneFactor } = this.options;
    const debt = Math.min(debtMs(size, caller), isAlone ? aloneFactor * size : Infinity);
    if (debt === 0) return 0;
    const owedMs = this.#owed(caller) + debt;
    if (this.#debts.size >= MAX_CALLERS) this.#removePaid();
    this.#debts.set(caller, { owedMs, at: performance.now() });
    // A timer may fire a millisecond early.
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
