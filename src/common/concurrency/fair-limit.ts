import pLimit from 'p-limit';

interface Waiting {
  shares: readonly string[];
  /**
   * Number of tasks that were waiting for the same share when this task arrived; the largest number over its shares.
   */
  rank: number;
  start: () => Promise<void>;
  reject: (error: Error) => void;
}

/** The queue has reached its maximum number of waiting tasks. */
export class QueueFull extends Error {}

/**
 * Limits concurrency and queues the rest. A task names its shares, such as the address and the account of a log-in: the
 * queue serves shares with few tasks before shares with many, and drops tasks of the latter when it is full.
 */
export class FairLimit {
  readonly #limit;
  /** In order of arrival. */
  readonly #waiting: Waiting[] = [];

  constructor(
    concurrency: number,
    private readonly maxWaiting: number,
  ) {
    this.#limit = pLimit(concurrency);
  }

  /**
   * Runs a task when it is its turn.
   * @throws {QueueFull} if the queue is full and no task has a higher rank, or if a task of lower rank displaces this
   *   one later
   */
  async run<T>(task: () => Promise<T>, shares: readonly string[] = []): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const counts = shares.map(
      (share) => this.#waiting.filter((other) => other.shares.includes(share)).length,
    );
    const rank = Math.max(0, ...counts);
    if (this.#waiting.length >= this.maxWaiting) this.#displaceNewest(rank);
    this.#waiting.push({ shares, rank, start: () => task().then(resolve, reject), reject });
    void this.#limit(() => this.#startNext());
    return promise;
  }

  /**
   * Removes the newest task of the highest rank from the queue.
   * @throws {QueueFull} if that rank is not above `rank`
   */
  #displaceNewest(rank: number): void {
    const highest = Math.max(...this.#waiting.map((waiting) => waiting.rank));
    const full = new QueueFull(`Queue is full: ${this.maxWaiting} tasks are waiting`);
    if (highest <= rank) throw full;
    const [displaced] = this.#waiting.splice(
      this.#waiting.findLastIndex((waiting) => waiting.rank === highest),
      1,
    );
    displaced?.reject(full);
  }

  /** Starts the oldest task of the lowest rank. The queue may be empty, because a displaced task keeps its turn. */
  async #startNext(): Promise<void> {
    const lowest = Math.min(...this.#waiting.map((waiting) => waiting.rank));
    const index = this.#waiting.findIndex((waiting) => waiting.rank === lowest);
    const [next] = index === -1 ? [] : this.#waiting.splice(index, 1);
    await next?.start();
  }
}
