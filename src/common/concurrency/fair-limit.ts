import pLimit from 'p-limit';

interface Waiting {
  shares: readonly string[];
  /** Works that were ahead when it came, of the share with most of them. */
  rank: number;
  start: () => Promise<void>;
  refuse: (error: Error) => void;
}

/** More works wait than may. */
export class QueueFull extends Error {}

/**
 * Limits concurrency and queues the rest. A task names its shares, such as the address and the account of a log-in: the queue serves
 * shares with few tasks before shares with many, and drops tasks of the latter when it is full.
 */
export class FairLimit {
  readonly #limit;
  /** In order of arrival. */
  readonly #waiting: Waiting[] = [];

  constructor(
    atOnce: number,
    private readonly maxWaiting: number,
  ) {
    this.#limit = pLimit(atOnce);
  }

  /**
   * Runs a work in its turn.
   * @throws {QueueFull} when the queue is full of works with no higher rank, or a work of lower rank takes its place later
   */
  async run<T>(work: () => Promise<T>, shares: readonly string[] = []): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const counts = shares.map(
      (share) => this.#waiting.filter((other) => other.shares.includes(share)).length,
    );
    const rank = Math.max(0, ...counts);
    if (this.#waiting.length >= this.maxWaiting) this.#makeRoom(rank);
    this.#waiting.push({ shares, rank, start: () => work().then(resolve, reject), refuse: reject });
    void this.#limit(() => this.#startNext());
    return promise;
  }

  /** Displaces the newest of the highest rank. */
  #makeRoom(rank: number): void {
    const highest = Math.max(...this.#waiting.map((waiting) => waiting.rank));
    const full = new QueueFull(`${this.maxWaiting} are waiting already`);
    if (highest <= rank) throw full;
    const [displaced] = this.#waiting.splice(
      this.#waiting.findLastIndex((waiting) => waiting.rank === highest),
      1,
    );
    displaced?.refuse(full);
  }

  /** Starts the oldest of the lowest rank; none is left where one was displaced. */
  async #startNext(): Promise<void> {
    const lowest = Math.min(...this.#waiting.map((waiting) => waiting.rank));
    const index = this.#waiting.findIndex((waiting) => waiting.rank === lowest);
    const [next] = index === -1 ? [] : this.#waiting.splice(index, 1);
    await next?.start();
  }
}
