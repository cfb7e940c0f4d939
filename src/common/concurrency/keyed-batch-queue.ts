import { BusinessError } from '../errors/business-error';

/** So many items share one batch at most, and as much as their weights allow. */
const MAX_BATCH = 64;
const MAX_WEIGHT = 20_000;
/** Beyond so many that wait for one key, the next is told at once that the service is not available. */
const MAX_WAITING = 2_000;

interface Waiting<Item, Result> {
  item: Item;
  /** On the clock of `performance.now()`. */
  since: number;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Lets work on one key share its cost. While a batch of a key is at work, further items of that key wait, in their
 * order, and make up the next one; the first that comes to an idle key starts at once and alone. Keys do not wait for
 * each other.
 */
export class KeyedBatchQueue<Item, Result> {
  /** Those that wait for the next batch, by their key; a key is there while a batch of it is at work. */
  readonly #waiting = new Map<number, Waiting<Item, Result>[]>();

  /**
   * @param patienceMs who has waited longer for a batch has been told so, and is not served any more
   * @param work answers to each item of a batch in the order of the items; an `Error` among the answers is that item's
   *   alone, one that is thrown is everybody's
   * @param weightOf what an item adds to its batch, in characters or the like; one that is too heavy goes alone
   */
  constructor(
    private readonly patienceMs: number,
    private readonly work: (key: number, items: Item[]) => Promise<(Result | Error)[]>,
    private readonly weightOf: (item: Item) => number,
  ) {}

  /**
   * What `work` answers to this item.
   * @throws {BusinessError} UNAVAILABLE: too many are waiting, or this one has waited too long
   */
  run(key: number, item: Item): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const waiting = this.#waiting.get(key);
    const one = { item, since: performance.now(), resolve, reject };
    if (waiting === undefined) void this.#serve(key, one);
    else if (waiting.length < MAX_WAITING) waiting.push(one);
    else reject(new BusinessError('UNAVAILABLE'));
    return promise;
  }

  async #serve(key: number, first: Waiting<Item, Result>): Promise<void> {
    const waiting = [first];
    this.#waiting.set(key, waiting);
    while (waiting.length > 0) {
      await this.#workOn(key, waiting.splice(0, this.#batchSize(waiting)));
      this.#dismissLate(waiting);
    }
    this.#waiting.delete(key);
  }

  /** Those that have waited longest come first. */
  #dismissLate(waiting: Waiting<Item, Result>[]): void {
    const latest = performance.now() - this.patienceMs;
    const inTime = waiting.findIndex(({ since }) => since > latest);
    const late = waiting.splice(0, inTime === -1 ? waiting.length : inTime);
    for (const { reject } of late) reject(new BusinessError('UNAVAILABLE'));
  }

  #batchSize(waiting: Waiting<Item, Result>[]): number {
    let weight = 0;
    const size = waiting.findIndex(({ item }) => (weight += this.weightOf(item)) > MAX_WEIGHT);
    return Math.min(MAX_BATCH, size === -1 ? waiting.length : Math.max(1, size));
  }

  async #workOn(key: number, batch: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.work(
        key,
        batch.map(({ item }) => item),
      );
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = results[index] as Result | Error;
        if (result instanceof Error) reject(result);
        else resolve(result);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
