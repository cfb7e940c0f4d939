import { setTimeout as pause } from 'node:timers/promises';
import { BusinessError } from '../errors/business-error';
import { runWithoutCaller } from './current-caller';

/** Default maximum number of items per batch. */
const MAX_BATCH = 64;
/** Maximum total weight of a batch. */
const MAX_WEIGHT = 20_000;
/** Maximum number of waiting items; further items are rejected immediately with UNAVAILABLE. */
const MAX_WAITING = 2_000;

interface Waiting<Item, Result> {
  item: Item;
  keys: readonly string[];
  /** On the clock of `performance.now()`. */
  since: number;
  /** Runs in a separate batch: its previous batch failed, possibly because of another item. */
  isAlone: boolean;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

export interface BatchOptions<Item, Result> {
  /** Maximum number of batches that run concurrently. */
  concurrency: number;
  /**
   * A batch that has run for this long frees its slot, but keeps its keys. Default: the slot is occupied until the
   * batch ends.
   */
  stuckAfterMs?: number;
  /** Items that have waited for this long are rejected with UNAVAILABLE; their requests have timed out already. */
  maxWaitMs: number;
  /** Returns the keys that an item needs exclusively: no two running batches have a key in common. Default: none. */
  keysOf?: (item: Item) => readonly string[];
  /** Also forbids a common key for two items of one batch. Default: false. */
  uniqueKeysPerBatch?: boolean;
  /** Returns the weight of an item in its batch, such as its characters; above the maximum it runs alone. Default: 1. */
  sizeOf?: (item: Item) => number;
  /** Maximum number of items per batch. Default: 64. */
  maxBatchSize?: number;
  /** Keeps the slot and the keys occupied for this long after a batch, so that the next batch is larger. Default: 0. */
  lingerMs?: number;
  /**
   * Processes a batch. Returns one result per item, in the order of the items. A returned `Error` rejects that item
   * only; a thrown error rejects all of them.
   */
  work: (items: Item[]) => Promise<(Result | Error)[]>;
  /**
   * Whether one item may have caused the error that `work` threw, and the batch was rolled back. If so, each item is
   * retried in a separate batch, before all waiting items. Default: false.
   */
  isItemFailure?: (error: unknown) => boolean;
}

/**
 * Collects items into batches that share the cost of the work. An item that arrives while a slot is free starts
 * immediately; items that arrive later wait and share the next batches, in order of arrival. An item with a key of a
 * running batch waits for that batch; items without such a key overtake it.
 */
export class BatchQueue<Item, Result> {
  #waiting: Waiting<Item, Result>[] = [];
  /** Keys of the running batches. */
  readonly #busyKeys = new Set<string>();
  #running = 0;

  constructor(private readonly options: BatchOptions<Item, Result>) {}

  /**
   * Queues an item and returns its result.
   * @throws {BusinessError} UNAVAILABLE: too many items are waiting, or this item has waited too long
   */
  run(item: Item): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    if (this.#waiting.length >= MAX_WAITING) reject(new BusinessError('UNAVAILABLE'));
    else {
      const keys = this.options.keysOf?.(item) ?? [];
      this.#waiting.push({ item, keys, since: performance.now(), isAlone: false, resolve, reject });
      this.#startBatches();
    }
    return promise;
  }

  /** Starts batches while slots are free. */
  #startBatches(): void {
    while (this.#running < this.options.concurrency) {
      const batch = this.#takeNextBatch();
      if (batch.length === 0) return;
      void this.#runBatch(batch);
    }
  }

  async #runBatch(batch: Waiting<Item, Result>[]): Promise<void> {
    const keys = batch.flatMap((entry) => entry.keys);
    for (const key of keys) this.#busyKeys.add(key);
    const freeSlot = this.#occupySlot();
    await this.#execute(batch);
    if (this.options.lingerMs) await pause(this.options.lingerMs);
    for (const key of keys) this.#busyKeys.delete(key);
    this.#rejectExpired();
    freeSlot();
    this.#startBatches();
  }

  /** Occupies a slot. The returned function frees it, unless `stuckAfterMs` has freed it before. */
  #occupySlot(): () => void {
    this.#running += 1;
    let isOccupied = true;
    const freeSlot = (): void => {
      clearTimeout(timer);
      if (isOccupied) this.#running -= 1;
      isOccupied = false;
    };
    const { stuckAfterMs } = this.options;
    const timer =
      stuckAfterMs === undefined
        ? undefined
        : setTimeout(() => {
            freeSlot();
            this.#startBatches();
          }, stuckAfterMs).unref();
    return freeSlot;
  }

  /** Removes and returns the items of the next batch: the oldest ones whose keys are free. */
  #takeNextBatch(): Waiting<Item, Result>[] {
    const batch: Waiting<Item, Result>[] = [];
    const remaining: Waiting<Item, Result>[] = [];
    // Keys of items that were overtaken: later items with the same key must not overtake them too. With one item per
    // key, also the keys of the batch.
    const overtakenKeys = new Set<string>();
    const { maxBatchSize = MAX_BATCH, uniqueKeysPerBatch = false } = this.options;
    let weight = 0;
    for (const entry of this.#waiting) {
      const isFree = entry.keys.every((key) => !this.#busyKeys.has(key) && !overtakenKeys.has(key));
      const added = this.options.sizeOf?.(entry.item) ?? 1;
      const isAlone = entry.isAlone || batch[0]?.isAlone === true;
      const fits =
        batch.length === 0 || (!isAlone && batch.length < maxBatchSize && weight + added <= MAX_WEIGHT);
      if (isFree && fits) {
        batch.push(entry);
        weight += added;
      } else remaining.push(entry);
      if (uniqueKeysPerBatch || !isFree || !fits) for (const key of entry.keys) overtakenKeys.add(key);
    }
    this.#waiting = remaining;
    return batch;
  }

  #rejectExpired(): void {
    const latestStart = performance.now() - this.options.maxWaitMs;
    const isExpired = ({ since }: Waiting<Item, Result>): boolean => since <= latestStart;
    const expired = this.#waiting.filter(isExpired);
    if (expired.length === 0) return;
    this.#waiting = this.#waiting.filter((entry) => !isExpired(entry));
    for (const { reject } of expired) reject(new BusinessError('UNAVAILABLE'));
  }

  async #execute(batch: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await runWithoutCaller(() => this.options.work(batch.map(({ item }) => item)));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = results[index];
        if (result instanceof Error) reject(result);
        else resolve(result as Result);
      }
    } catch (error) {
      if (batch.length > 1 && this.options.isItemFailure?.(error) === true)
        this.#waiting.unshift(...batch.map((entry) => ({ ...entry, isAlone: true })));
      else for (const { reject } of batch) reject(error);
    }
  }
}
