import { AsyncLocalStorage } from 'node:async_hooks';
import type { DatabaseConfig } from '../config/database-config';
import { currentCaller } from '../common/concurrency/current-caller';
import { FairQueue } from '../common/concurrency/fair-queue';
import type { DebtOptions } from '../common/concurrency/work-debts';
import { POOL_SIZE } from './mysql/pool';

/**
 * Maximum number of transactions that one caller has under way on MySQL. They may all wait for one row; the other
 * connections for transactions are then left to other callers.
 */
const TRANSACTIONS_PER_CALLER = 2;

/**
 * Debts of users for their transactions. On MySQL one of 5 ms costs 12 ms, one of 50 ms 1.25 s; on SQLite, where every transaction keeps
 * all others waiting, twice that. Heavy writes of one user, such as new groups of 500, then disturb other users for a few percent of the
 * time. API keys have no debt: a back end writes for many users. On MySQL the time of a transaction includes waits for locks, so the
 * allowance is larger.
 */
const debtsOf = (factor: number, allowanceMs: number): DebtOptions => ({
  factor: (caller) => (caller.startsWith('key:') ? 0 : factor),
  maxMs: 2_500,
  allowanceMs,
});

/** State of the lease in the asynchronous context of one `Transactions.run`. */
interface Holder {
  holding: boolean;
}

/**
 * Leases connections to callers in turn: SQLite's one connection, for a transaction or a single statement, and on MySQL
 * the connections for transactions. On SQLite the holder of the lease is alone on the connection; without it, overlapping
 * transactions become one and an acknowledged write vanishes when a stranger's transaction rolls back. Its driver is
 * synchronous, so between two holders the event loop turns, and requests that have come meanwhile get in line.
 */
export class ConnectionLease {
  readonly #holders = new AsyncLocalStorage<Holder>();

  private constructor(private readonly queue: FairQueue) {}

  /** The lease on the connections of one data source. */
  static for({ type }: DatabaseConfig): ConnectionLease {
    const isOne = type === 'better-sqlite3';
    return new ConnectionLease(
      new FairQueue(
        isOne
          ? { slots: 1, perCaller: 1, yields: true, debts: debtsOf(1, 500) }
          : {
              slots: POOL_SIZE,
              perCaller: TRANSACTIONS_PER_CALLER,
              debts: debtsOf(0.5, 2_500),
            },
      ),
    );
  }

  /** Number of leases that are held. */
  get used(): number {
    return this.queue.used;
  }

  /** Number of askers that wait for a lease. */
  get waiting(): number {
    return this.queue.waiting;
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
   * Waits for the turn of the current caller; the returned function gives the lease back.
   * @throws {Error} when the asker's own transaction holds it: its code must use the transaction's EntityManager
   */
  async acquire(): Promise<() => void> {
    const holder = this.#holders.getStore();
    if (holder?.holding) {
      throw new Error('Inside a transaction only its EntityManager may be used; this query went past it');
    }
    const leave = await this.queue.acquire(currentCaller());
    if (holder) holder.holding = true;
    return () => {
      if (holder) holder.holding = false;
      leave();
    };
  }
}
