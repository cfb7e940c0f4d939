import { LRUCache } from 'lru-cache';
import { type Counted, cover, type Place, type Window } from '../rules/count-tree';

/** In all positions together: some ten megabytes. */
const KEPT_BLOCKS = 100_000;
/** What a position takes beside its blocks, in blocks. */
const POSITION_ITSELF = 8;
const KEPT_FOR_MS = 60_000;

/** Where the way down the count tree of an inbox has ended. */
export interface PagePosition {
  /** The inbox's. */
  version: number;
  /** How many elements of the list come before these blocks. */
  before: number;
  /** Blocks of the lowest level, in the order of the list. */
  counted: Counted[];
}

/**
 * Where pages were found lately, by list: whoever pages through a list, or looks at it again, finds the page among the
 * same blocks, as long as the inbox has the same version. It must be told nothing but what has been committed, since
 * the versions of a transaction that is rolled back are given again.
 */
export class PagePositionCache {
  readonly #positions = new LRUCache<string, PagePosition>({
    maxSize: KEPT_BLOCKS,
    sizeCalculation: ({ counted }) => counted.length + POSITION_ITSELF,
    ttl: KEPT_FOR_MS,
  });

  keep(list: string, { counted, ...position }: PagePosition): void {
    this.#positions.set(list, { ...position, counted: counted.filter(({ count }) => count > 0) });
  }

  /** Where a window of a list lies; undefined: it must be looked for. */
  find(list: string, version: number, { skip, take }: Window): Place | undefined {
    const position = this.#positions.get(list);
    if (position?.version !== version || skip < position.before) return undefined;
    const end = position.counted.reduce((sum, { count }) => sum + count, position.before);
    return skip + take > end ? undefined : cover(position.counted, { skip: skip - position.before, take });
  }
}
