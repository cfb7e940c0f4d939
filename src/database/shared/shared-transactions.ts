import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { BatchQueue } from '../../common/concurrency/batch-queue';
import { CONFIG, type Config } from '../../config/config';
import { isCollision, isOnesFault } from '../errors';
import { Transactions } from '../transactions';

/** How many of a module's an instance has under way, but for those that have been so for long: they wait for something. */
const AT_ONCE = 2;
const LONG_MS = 100;

interface Work {
  keys: readonly string[];
  run: (em: EntityManager) => Promise<unknown>;
}

/**
 * Transactions that the works of several requests share, each as if it had its own: what comes while transactions are under
 * way waits, and shares the next one. Their events and acts are written together at its end, and so is whatever they do by
 * steps that are `joined`. Each module that provides it has a queue of its own.
 */
@Injectable()
export class SharedTransactions {
  readonly #queue: BatchQueue<Work, unknown>;

  constructor(
    private readonly transactions: Transactions,
    @Inject(CONFIG) { requestTimeoutSeconds }: Config,
  ) {
    this.#queue = new BatchQueue({
      atOnce: AT_ONCE,
      longMs: LONG_MS,
      // Whoever has waited so long has been told that it was in vain.
      patienceMs: requestTimeoutSeconds * 1000,
      keysOf: ({ keys }) => keys,
      isOnePerKey: true,
      weightOf: () => 1,
      work: (works) => this.#share(works),
      isOnesFault,
    });
  }

  /**
   * What `work` returns, after the commit. It may run more than once, and beside others, on the terms of `Transactions.run`
   * with `retryWhenTaken`, and as part of whatever request began the transaction: what belongs to its own, such as the
   * `auditContext`, it brings along. Where it refuses something it returns the error, before it has written anything: one that
   * it throws undoes the works of all, and each is then run alone.
   * @param keys what the work needs for itself: no two that share a transaction, or are under way at once, have one in common
   * @throws {BusinessError} UNAVAILABLE: too many are waiting, or this one has waited too long
   */
  async run<T>(keys: readonly string[], work: (em: EntityManager) => Promise<T | Error>): Promise<T> {
    return (await this.#queue.run({ keys, run: work })) as T;
  }

  #share(works: Work[]): Promise<unknown[]> {
    return this.transactions.run(
      async (em) => {
        // None is left behind that would go on after the end of the transaction.
        const ends = await Promise.allSettled(works.map(({ run }) => run(em)));
        const failures = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
        // After a collision the others fail by what they do not find any more.
        if (failures.length > 0) throw failures.find(isCollision) ?? failures[0];
        return ends.map((end) => (end as PromiseFulfilledResult<unknown>).value);
      },
      works.length === 1 ? { retryWhenTaken: true } : { failWhenHeld: true },
    );
  }
}
