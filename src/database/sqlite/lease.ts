import { AsyncLocalStorage } from 'node:async_hooks';

/** What one `Transactions.run` knows about the lease in its asynchronous context. */
interface Holder {
  holding: boolean;
}

/**
 * A first-in-first-out lease on the one connection that SQLite has. Whoever holds it, for a transaction or for a
 * single statement, is alone on the connection; without it, overlapping transactions become one and an acknowledged
 * write vanishes when a stranger's transaction rolls back.
 */
export class ConnectionLease {
  #last: Promise<void> = Promise.resolve();
  #inLine = 0;
  readonly #holders = new AsyncLocalStorage<Holder>();

  /** How many hold the lease or wait for it. */
  get inLine(): number {
    return this.#inLine;
  }

  /**
   * Runs `work` in a context in which asking for the lease while holding it is an error instead of a deadlock.
   * @throws {Error} when such a context is open already: a transaction within a transaction
   */
  guard<T>(work: () => Promise<T>): Promise<T> {
    if (this.#holders.getStore()) {
      throw new Error('Inside a transaction no other may be started; pass the EntityManager on instead');
    }
    return this.#holders.run({ holding: false }, work);
  }

  /**
   * Waits for one's turn; the answer gives the lease back.
   * @throws {Error} when the asker's own transaction holds it: its code must use the transaction's EntityManager
   */
  async acquire(): Promise<() => void> {
    const holder = this.#holders.getStore();
    if (holder?.holding) {
      throw new Error('Inside a transaction only its EntityManager may be used; this query went past it');
    }
    this.#inLine += 1;
    const turn = Promise.withResolvers<void>();
    const before = this.#last;
    this.#last = turn.promise;
    await before;
    if (holder) holder.holding = true;
    return () => {
      this.#inLine -= 1;
      if (holder) holder.holding = false;
      turn.resolve();
    };
  }
}
