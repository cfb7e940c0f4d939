import { AsyncLocalStorage } from 'node:async_hooks';
import type { DatabaseConfig } from '../config/database-config';
import { currentCaller, mayOwe } from '../common/concurrency/current-caller';
import { FairQueue } from '../common/concurrency/fair-queue';
import { type DebtOptions, squareOfTime } from '../common/concurrency/work-debts';
import { POOL_SIZE } from './mysql/pool';

/**
 * Maximum number of transactions that one caller has under way on MySQL. They may all wait for one row; the other
 * connections for transactions are then left to other callers.
 */
const TRANSACTIONS_PER_CALLER = 2;
/** Maximum number of statements that one caller has under way outside transactions on MySQL. The event loop reads their results. */
const STATEMENTS_PER_CALLER = 3;

const debtOf = (factor: number, maxMs: number) => (tookMs: number, caller: string) =>
  mayOwe(caller) ? squareOfTime(tookMs, factor, maxMs) : 0;

/**
 * Debts of users for the time of their transactions and statements. On MySQL 5 ms cost 12 ms, a transaction of 50 ms costs 1.25 s; on
 * SQLite, where every transaction keeps all others waiting, twice that. Heavy work of one user, such as new groups of 500, then disturbs
 * other users for a few percent of the time. On MySQL the time includes the database's and waits for locks, so a user who waits for each
 * transaction or statement before the next never gets into debt.
 */
const DEBTS: Record<'sqlite' | 'transactions' | 'statements', DebtOptions> = {
  sqlite: { debtMs: debtOf(1, 2_500), allowanceMs: 500, aloneFactor: 1 },
  transactions: { debtMs: debtOf(0.5, 2_500), allowanceMs: 2_500, aloneFactor: 0 },
  // A client that starts sends several requests at the same time: a slow database must not make it wait for long.
  statements: { debtMs: debtOf(0.5, 250), allowanceMs: 500, aloneFactor: 0 },
};

/** State of the lease in the asynchronous context of one `Transactions.run`. */
interface Holder {
  holding: boolean;
}

/**
 * Leases connections to callers in turn: SQLite's one connection, for a transaction or a single statement, and on MySQL
 * the connections for transactions and those for single statements. On SQLite the holder of the lease is alone on the connection; without it, overlapping
 * transactions become one and an acknowledged write vanishes when a stranger's transaction rolls back. Its driver is
 * synchronous, so between two holders the event loop turns, and requests that have come meanwhile get in line.
 */
export class ConnectionLease {
  readonly #holders = new AsyncLocalStorage<Holder>();

  private constructor(
    private readonly queue: FairQueue,
    /** Of MySQL's statements outside transactions, which have connections of their own. */
    private readonly statements?: FairQueue,
  ) {}

  /** The lease on the connections of one data source. */
  static for({ type }: DatabaseConfig): ConnectionLease {
    if (type === 'better-sqlite3')
      return new ConnectionLease(
        new FairQueue({ slots: 1, perCaller: 1, yields: true, debts: DEBTS.sqlite }),
      );
    return new ConnectionLease(
      new FairQueue({ slots: POOL_SIZE, perCaller: TRANSACTIONS_PER_CALLER, debts: DEBTS.transactions }),
      new FairQueue({ slots: POOL_SIZE, perCaller: STATEMENTS_PER_CALLER, debts: DEBTS.statements }),
    );
  }

  /** Number of leases that are held; on MySQL those of transactions. */
  get used(): number {
    return this.queue.used;
  }

  /** Number of askers that wait for a lease. */
  get waiting(): number {
    return this.queue.waiting + (this.statements?.waiting ?? 0);
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

  /** Waits for the turn of the current caller to send one statement outside a transaction; the returned function ends the turn. */
  acquireForStatement(): Promise<() => void> {
    return this.statements?.acquire(currentCaller()) ?? this.acquire();
  }
}
