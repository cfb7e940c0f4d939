import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { BatchQueue } from '../../common/concurrency/batch-queue';
import { CONFIG, type Config } from '../../config/config';
import { isSerializationFailure, isItemFailure } from '../errors';
import { Transactions } from '../transactions';

/** Maximum number of concurrent transactions per module and instance, not counting those that have become stuck. */
const CONCURRENCY = 2;
/** A transaction that runs for longer waits for a lock, and does not count towards `CONCURRENCY` any more. */
const STUCK_AFTER_MS = 100;

interface Work {
  keys: readonly string[];
  run: (em: EntityManager) => Promise<unknown>;
}

/**
 * Group commit: runs the work of several requests in one transaction. Work that arrives while `CONCURRENCY`
 * transactions are running is queued and shares the next one. The user events and domain events of a batch are written
 * together before the commit; statements issued through a `batchedStep` are merged. If one work throws, the transaction
 * is rolled back and each work is retried alone. Provided per module: every module has its own queue.
 */
@Injectable()
export class BatchedTransactions {
  readonly #queue: BatchQueue<Work, unknown>;

  constructor(
    private readonly transactions: Transactions,
    @Inject(CONFIG) { requestTimeoutSeconds }: Config,
  ) {
    this.#queue = new BatchQueue({
      concurrency: CONCURRENCY,
      stuckAfterMs: STUCK_AFTER_MS,
      // The request has timed out by then.
      maxWaitMs: requestTimeoutSeconds * 1000,
      keysOf: ({ keys }) => keys,
      uniqueKeysPerBatch: true,
      sizeOf: () => 1,
      work: (works) => this.#runBatch(works),
      isItemFailure,
    });
  }

  /**
   * Runs `work` in a batched transaction and returns its result after the commit.
   *
   * `work` may run several times, like that of `Transactions.run` with `retryOnDuplicateKey`, and concurrently with the
   * other works of the batch. It runs outside the context of its request, so it must capture request data, such as the
   * `auditContext`, beforehand. It must return a business error before it writes anything, instead of throwing it: a
   * thrown error rolls back the whole batch, and each work is then retried alone.
   * @param keys resources that the work needs exclusively: works with a common key neither share a transaction nor run
   * concurrently
   * @throws {BusinessError} UNAVAILABLE: too many works are queued, or this one has waited too long
   */
  async run<T>(keys: readonly string[], work: (em: EntityManager) => Promise<T | Error>): Promise<T> {
    return (await this.#queue.run({ keys, run: work })) as T;
  }

  #runBatch(works: Work[]): Promise<unknown[]> {
    return this.transactions.run(
      async (em) => {
        // Waits for all works, so that none continues after the end of the transaction.
        const outcomes = await Promise.allSettled(works.map(({ run }) => run(em)));
        const failures = outcomes.flatMap((outcome) =>
          outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
        );
        // After a deadlock has rolled the transaction back, the other works fail only because their rows are missing.
        if (failures.length > 0) throw failures.find(isSerializationFailure) ?? failures[0];
        return outcomes.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value);
      },
      works.length === 1 ? { retryOnDuplicateKey: true } : { failOnLockTimeout: true },
    );
  }
}
