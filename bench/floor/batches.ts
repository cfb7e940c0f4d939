import { transaction, type Transaction } from './database';

const MAX_ITEMS = 64;
/** Few, so that more items share a transaction; more than one, so that the database works while the server does. */
const MAX_TRANSACTIONS = 2;

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

interface Options<Item, Result> {
  /** Rows that an item locks: items that share a key are never in two transactions at once. */
  keysOf: (item: Item) => string[];
  /** Whether a transaction may contain several items with the same key. */
  mayRepeatKey: boolean;
  /** Returns the result of each item, or the error that concerns only this item. */
  work: (tx: Transaction, items: Item[]) => Promise<(Result | Error)[]>;
}

/** Group commit: items that arrive while transactions are running share the next one. */
export class Batches<Item, Result> {
  readonly #waiting: Waiting<Item, Result>[] = [];
  readonly #busy = new Set<string>();
  #running = 0;

  constructor(private readonly options: Options<Item, Result>) {}

  run(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#next();
    });
  }

  #next(): void {
    if (this.#running === MAX_TRANSACTIONS || this.#waiting.length === 0) return;
    const batch = this.#take();
    if (batch.length === 0) return;
    const keys = new Set(batch.flatMap(({ item }) => this.options.keysOf(item)));
    for (const key of keys) this.#busy.add(key);
    this.#running += 1;
    void this.#write(batch).finally(() => {
      for (const key of keys) this.#busy.delete(key);
      this.#running -= 1;
      this.#next();
    });
  }

  /** Takes items from the queue, in their order, except those whose key is busy. */
  #take(): Waiting<Item, Result>[] {
    const { keysOf, mayRepeatKey } = this.options;
    const taken: Waiting<Item, Result>[] = [];
    const seen = new Set<string>();
    const left = this.#waiting.splice(0).filter((waiting) => {
      const keys = keysOf(waiting.item);
      const isFree = !keys.some((key) => this.#busy.has(key) || (!mayRepeatKey && seen.has(key)));
      const isTaken = isFree && taken.length < MAX_ITEMS;
      if (isTaken) taken.push(waiting);
      for (const key of keys) seen.add(key);
      return !isTaken;
    });
    this.#waiting.push(...left);
    return taken;
  }

  /** If the transaction of several items fails, each is tried alone, so that an error affects only its cause. */
  async #write(batch: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await transaction((tx) =>
        this.options.work(
          tx,
          batch.map(({ item }) => item),
        ),
      );
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = results[index];
        if (result instanceof Error) reject(result);
        else resolve(result as Result);
      }
    } catch (error) {
      if (batch.length === 1) batch[0]?.reject(error);
      else for (const waiting of batch) await this.#write([waiting]);
    }
  }
}
