import { AsyncLocalStorage } from 'node:async_hooks';
import type { DatabaseConfig } from '../config/database-config';
import { currentCaller, mayOwe } from '../common/concurrency/current-caller';
import { FairQueue } from '../common/concurrency/fair-queue';
import { type DebtOptions, squareOfTime } from '../common/concurrency/work-debts';
import { perWorker } from '../workers/per-worker';
import { MAX_STATEMENTS, MAX_TRANSACTIONS } from './mysql/pool';

/**
 * Maximum number of concurrent transactions of one caller on MySQL. They may all wait for one row; the other
 * slots for transactions then remain available to other callers.
 */
const TRANSACTIONS_PER_CALLER = 2;
/**
 * Maximum number of concurrent statements of one caller outside transactions on MySQL. The limit protects the event
 * loop, which parses their results.
 */
const STATEMENTS_PER_CALLER = 3;

const debtOf = (factor: number, maxMs: number) => (tookMs: number, caller: string) =>
  mayOwe(caller) ? squareOfTime(tookMs, factor, maxMs) : 0;

/**
 * Debts of users for the time of their transactions and statements. On MySQL 5 ms cost 12 ms, and a transaction of 50
 * ms costs 1.25 s; on SQLite, where every transaction blocks all others, twice that. Heavy work of one user, such as
 * new groups of 500, then slows other users down for only a few percent of the time. On MySQL the time includes the
 * database's work and waits for locks, so a user who waits for each transaction or statement before the next one incurs
 * no debt (`aloneFactor: 0`).
 */
const DEBTS: Record<'sqlite' | 'transactions' | 'statements', DebtOptions> = {
  sqlite: { debtMs: debtOf(1, 2_500), allowanceMs: 500, aloneFactor: 1 },
  transactions: { debtMs: debtOf(0.5, 2_500), allowanceMs: 2_500, aloneFactor: 0 },
  // A client sends several requests at the same time when it starts: a slow database must not make it wait for long.
  statements: { debtMs: debtOf(0.5, 250), allowanceMs: 500, aloneFactor: 0 },
};

/**
 * Grants database connections to callers in turn. On SQLite: the one connection, for a transaction or a single
 * statement. On MySQL: the slots for transactions and those for single statements, with one queue each.
 *
 * On SQLite the holder is alone on the connection. Without that, overlapping transactions would become one, and an
 * acknowledged write would be lost when the transaction of another request rolls back. The SQLite driver is
 * synchronous, so the event loop turns between two holders, and requests that have arrived meanwhile are queued.
 */
export class ConnectionMutex {
  /** State of the mutex in the asynchronous context of one `Transactions.run`. */
  readonly #holders = new AsyncLocalStorage<{ holding: boolean }>();

  private constructor(
    private readonly queue: FairQueue,
    /** Queue for statements outside transactions, which have separate slots on MySQL; undefined on SQLite. */
    private readonly statements?: FairQueue,
  ) {}

  /**
   * Creates the mutex for the connections of one data source.
   * @param workers number of processes that share the connections of the instance
   */
  static for({ type }: DatabaseConfig, workers = 1): ConnectionMutex {
    if (type === 'better-sqlite3')
      return new ConnectionMutex(
        new FairQueue({ slots: 1, perCaller: 1, yields: true, debts: DEBTS.sqlite }),
      );
    return new ConnectionMutex(
      new FairQueue({
        slots: perWorker(MAX_TRANSACTIONS, workers),
        perCaller: TRANSACTIONS_PER_CALLER,
        debts: DEBTS.transactions,
      }),
      new FairQueue({
        slots: perWorker(MAX_STATEMENTS, workers),
        perCaller: STATEMENTS_PER_CALLER,
        debts: DEBTS.statements,
      }),
    );
  }

  /** Number of slots in use; on MySQL only those of transactions. */
  get used(): number {
    return this.queue.used;
  }

  /** Number of callers that wait for a slot. */
  get waiting(): number {
    return this.queue.waiting + (this.statements?.waiting ?? 0);
  }

  /**
   * Runs `work` in a context in which `acquire` throws, instead of deadlocking, while the same context holds a slot.
   * @throws {Error} if such a context is already open: a transaction within a transaction
   */
  guard<T>(work: () => Promise<T>): Promise<T> {
    if (this.#holders.getStore()) {
      throw new Error(
        'A transaction is already open; pass its EntityManager on instead of starting another one',
      );
    }
    return this.#holders.run({ holding: false }, work);
  }

  /**
   * Waits for the turn of the current caller. The caller must call the returned function to release the slot.
   * @throws {Error} if the same context holds a slot: code in a transaction must use its EntityManager
   */
  async acquire(): Promise<() => void> {
    const holder = this.#holders.getStore();
    if (holder?.holding) {
      throw new Error('Query outside the open transaction; use the EntityManager of the transaction');
    }
    const release = await this.queue.acquire(currentCaller());
    if (holder) holder.holding = true;
    return () => {
      if (holder) holder.holding = false;
      release();
    };
  }

  /**
   * Waits for the turn of the current caller to send one statement outside a transaction. The caller must call the
   * returned function to release the slot.
   */
  acquireForStatement(): Promise<() => void> {
    return this.statements?.acquire(currentCaller()) ?? this.acquire();
  }
}
