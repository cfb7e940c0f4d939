import { setTimeout as pause } from 'node:timers/promises';
import { BusinessError } from '../errors/business-error';
import { runForNobody } from './current-caller';

/** So many items share one batch at most, where nothing else is said, and as much as their weights allow. */
const MAX_BATCH = 64;
const MAX_WEIGHT = 20_000;
/** Beyond so many that wait, the next is told at once that the service is not available. */
const MAX_WAITING = 2_000;

interface Waiting<Item, Result> {
  item: Item;
  keys: readonly string[];
  /** On the clock of `performance.now()`. */
  since: number;
  /** It was in a batch that failed, for which another may be to blame. */
  isAlone: boolean;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

export interface BatchOptions<Item, Result> {
  /** So many batches are at work at once, at most. */
  atOnce: number;
  /** A batch that has been at work for longer does not count among them any more; by default it does to its end. */
  longMs?: number;
  /** Who has waited longer for a batch has been told so, and is not served any more. */
  patienceMs: number;
  /** What an item needs for itself: no two batches at work have a key in common. */
  keysOf: (item: Item) => readonly string[];
  /** Whether no two items of one batch have a key in common either; by default they may. */
  isOnePerKey?: boolean;
  /** What an item adds to its batch, in characters or the like; one that is too heavy goes alone. */
  weightOf: (item: Item) => number;
  /** So many items share one batch at most. */
  most?: number;
  /** After a batch its place stays taken for so long, so that more come together; by default not at all. */
  restMs?: number;
  /**
   * Answers to each item of a batch in the order of the items; an `Error` among the answers is that item's alone, one
   * that is thrown is everybody's.
   */
  work: (items: Item[]) => Promise<(Result | Error)[]>;
  /**
   * Whether what `work` threw may be the fault of one item, and has left nothing behind: each item of the batch then gets
   * one of its own, before all that wait. By default it is not.
   */
  isOnesFault?: (error: unknown) => boolean;
}

/**
 * Lets items share the cost of work. Whoever comes while a place is free starts at once; those that come meanwhile wait
 * and share the next batches, in their order. An item whose key is at work waits for that batch, and others pass it.
 */
export class BatchQueue<Item, Result> {
  #waiting: Waiting<Item, Result>[] = [];
  /** The keys that are at work. */
  readonly #busy = new Set<string>();
  #atWork = 0;

  constructor(private readonly options: BatchOptions<Item, Result>) {}

  /**
   * What `work` answers to this item.
   * @throws {BusinessError} UNAVAILABLE: too many are waiting, or this one has waited too long
   */
  run(item: Item): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    if (this.#waiting.length >= MAX_WAITING) reject(new BusinessError('UNAVAILABLE'));
    else {
      const keys = this.options.keysOf(item);
      this.#waiting.push({ item, keys, since: performance.now(), isAlone: false, resolve, reject });
      this.#begin();
    }
    return promise;
  }

  /** Starts as many batches as there is room for. */
  #begin(): void {
    while (this.#atWork < this.options.atOnce) {
      const batch = this.#next();
      if (batch.length === 0) return;
      void this.#serve(batch);
    }
  }

  async #serve(batch: Waiting<Item, Result>[]): Promise<void> {
    const keys = batch.flatMap((one) => one.keys);
    for (const key of keys) this.#busy.add(key);
    const leave = this.#takePlace();
    await this.#workOn(batch);
    if (this.options.restMs) await pause(this.options.restMs);
    for (const key of keys) this.#busy.delete(key);
    this.#dismissLate();
    leave();
    this.#begin();
  }

  /** Answers what gives the place back, which time may do before. */
  #takePlace(): () => void {
    this.#atWork += 1;
    let isTaken = true;
    const leave = (): void => {
      clearTimeout(late);
      if (isTaken) this.#atWork -= 1;
      isTaken = false;
    };
    const { longMs } = this.options;
    const late =
      longMs === undefined
        ? undefined
        : setTimeout(() => {
            leave();
            this.#begin();
          }, longMs).unref();
    return leave;
  }

  /** Takes those out that make up the next batch: the oldest whose keys are free. */
  #next(): Waiting<Item, Result>[] {
    const batch: Waiting<Item, Result>[] = [];
    const left: Waiting<Item, Result>[] = [];
    // Whoever is passed keeps their place before others with the same key, and so does whoever has the key for the batch.
    const passed = new Set<string>();
    const { most = MAX_BATCH, isOnePerKey = false } = this.options;
    let weight = 0;
    for (const one of this.#waiting) {
      const isFree = one.keys.every((key) => !this.#busy.has(key) && !passed.has(key));
      const added = this.options.weightOf(one.item);
      const isAlone = one.isAlone || batch[0]?.isAlone === true;
      const fits = batch.length === 0 || (!isAlone && batch.length < most && weight + added <= MAX_WEIGHT);
      if (isFree && fits) {
        batch.push(one);
        weight += added;
      } else left.push(one);
      if (isOnePerKey || !isFree || !fits) for (const key of one.keys) passed.add(key);
    }
    this.#waiting = left;
    return batch;
  }

  #dismissLate(): void {
    const latest = performance.now() - this.options.patienceMs;
    const isLate = ({ since }: Waiting<Item, Result>): boolean => since <= latest;
    const late = this.#waiting.filter(isLate);
    if (late.length === 0) return;
    this.#waiting = this.#waiting.filter((one) => !isLate(one));
    for (const { reject } of late) reject(new BusinessError('UNAVAILABLE'));
  }

  async #workOn(batch: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await runForNobody(() => this.options.work(batch.map(({ item }) => item)));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = results[index];
        if (result instanceof Error) reject(result);
        else resolve(result as Result);
      }
    } catch (error) {
      if (batch.length > 1 && this.options.isOnesFault?.(error) === true)
        this.#waiting.unshift(...batch.map((one) => ({ ...one, isAlone: true })));
      else for (const { reject } of batch) reject(error);
    }
  }
}
