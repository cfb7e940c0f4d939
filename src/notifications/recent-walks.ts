import { LRUCache } from 'lru-cache';
import { type Counted, cover, type Place, type Window } from './count-tree';

/** Of all walks together: some ten megabytes. */
const KEPT_BLOCKS = 100_000;
/** What a walk takes beside its blocks, in blocks. */
const WALK_ITSELF = 8;
const KEPT_FOR_MS = 60_000;

/** Where a walk down the count tree of an inbox has ended. */
export interface Walk {
  /** Of the inbox. */
  version: number;
  /** How many elements of the list come before these blocks. */
  before: number;
  /** Blocks of the lowest level, in the order of the list. */
  counted: Counted[];
}

/**
 * Where walks have ended lately, by list: whoever pages through a list, or looks at it again, finds the page among the
 * same blocks, as long as the inbox has the same version. It must be told nothing but what has been committed, since
 * the versions of a transaction that is rolled back are given again.
 */
export class RecentWalks {
  readonly #walks = new LRUCache<string, Walk>({
    maxSize: KEPT_BLOCKS,
    sizeCalculation: ({ counted }) => counted.length + WALK_ITSELF,
    ttl: KEPT_FOR_MS,
  });

  keep(list: string, { counted, ...walk }: Walk): void {
    this.#walks.set(list, { ...walk, counted: counted.filter(({ count }) => count > 0) });
  }

  /** Where a window of a list lies; undefined: it must be walked to. */
  find(list: string, version: number, { skip, take }: Window): Place | undefined {
    const walk = this.#walks.get(list);
    if (walk?.version !== version || skip < walk.before) return undefined;
    const end = walk.counted.reduce((sum, { count }) => sum + count, walk.before);
    return skip + take > end ? undefined : cover(walk.counted, { skip: skip - walk.before, take });
  }
}
