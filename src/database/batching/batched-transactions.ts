import type { EntityManager } from 'typeorm';
import { BatchQueue } from '../../common/concurrency/batch-queue';
import { runForRequest } from '../../common/concurrency/current-caller';
import { currentTrace } from '../../common/tracing/current-trace';
import { isItemFailure } from '../errors';
import { Transactions } from '../transactions';

/** Maximum number of concurrent transactions per queue and instance, not counting those that have become stuck. */
const CONCURRENCY = 2;
/** A transaction that runs for longer waits for a lock, and does not count towards `CONCURRENCY` any more. */
const STUCK_AFTER_MS = 100;

interface QueuedCallback<Batch> {
  keys: readonly string[];
  run: (batch: Batch) => Promise<unknown>;
}

/**
 * Group commit: runs the work of several requests in one transaction. Work that arrives while `CONCURRENCY`
 * transactions are running is queued and shares the next one. The user events and domain events of a batch are written
 * together before the commit; statements of each `batchedStep` of the `Batch` are merged. If one callback throws, the
 * transaction is rolled back and each callback is retried alone.
 */
export class BatchedTransactions<Batch> {
  readonly #queue: BatchQueue<QueuedCallback<Batch>, unknown>;

  /**
   * @param maxWaitMs time limit of requests: callbacks that have been queued for longer are rejected
   * @param createBatch returns the EntityManager and the steps of a new transaction, as its callbacks receive them
   */
  constructor(
    private readonly transactions: Transactions,
    maxWaitMs: number,
    private readonly createBatch: (em: EntityManager) => Batch,
  ) {
    this.#queue = new BatchQueue({
      concurrency: CONCURRENCY,
      stuckAfterMs: STUCK_AFTER_MS,
      maxWaitMs,
      keysOf: ({ keys }) => keys,
      uniqueKeysPerBatch: true,
      work: (callbacks) => this.#runBatch(callbacks),
      isItemFailure,
    });
  }

  /**
   * Runs `callback` in a batched transaction and returns its result after the commit.
   *
   * `callback` may run several times, like that of `Transactions.run` with `retryOnDuplicateKey`, and concurrently with the
   * other callbacks of the batch. It runs outside the context of its request, except for the trace, so it must capture
   * request data, such as the `auditContext`, beforehand. It must return a business error before it writes anything, instead of throwing it:
   * a thrown error rolls back the whole batch, and each callback is then retried alone.
   * @param keys resources that the callback needs exclusively: callbacks with a common key neither share a transaction
   * nor run concurrently
   * @throws {BusinessError} UNAVAILABLE: too many callbacks are queued, or this one has waited too long
   */
  async run<T>(keys: readonly string[], callback: (batch: Batch) => Promise<T | Error>): Promise<T> {
    const traceparent = currentTrace();
    const run = (batch: Batch) => runForRequest({ traceparent }, () => callback(batch));
    return (await this.#queue.run({ keys, run })) as T;
  }

  #runBatch(callbacks: QueuedCallback<Batch>[]): Promise<unknown[]> {
    return this.transactions.run(
      async (em) => {
        const batch = this.createBatch(em);
        // Waits for all callbacks, so that none continues after the end of the transaction.
        const outcomes = await Promise.allSettled(callbacks.map(({ run }) => run(batch)));
        const failure = outcomes.find(({ status }) => status === 'rejected') as
          | PromiseRejectedResult
          | undefined;
        if (failure !== undefined) throw failure.reason;
        return outcomes.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value);
      },
      callbacks.length === 1 ? { retryOnDuplicateKey: true } : { failOnLockTimeout: true },
    );
  }
}
