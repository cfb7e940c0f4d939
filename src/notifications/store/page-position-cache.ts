import { LRUCache } from 'lru-cache';
import { type Counted, cover, type TreeWindow, type Window } from '../rules/count-tree.rules';

/** Maximum number of blocks in all positions together: about 10 MB. */
const MAX_BLOCKS = 100_000;
/** Memory of a position besides its blocks, in blocks. */
const POSITION_OVERHEAD = 8;
const TTL_MS = 60_000;

/** The blocks at which the descent of the count tree of an inbox ended. */
export interface PagePosition {
  /** The version of the inbox. */
  version: number;
  /** Number of elements of the list before these blocks. */
  before: number;
  /** Blocks of the lowest level, in list order. */
  counted: Counted[];
}

/**
 * Caches, by list, the blocks in which the last page was found. While the inbox has the same version, adjacent pages
 * and repeated reads are found in the same blocks, without the count tree. Only committed state may be cached, because
 * the versions of a rolled-back transaction are assigned again.
 */
export class PagePositionCache {
  readonly #positions = new LRUCache<string, PagePosition>({
    maxSize: MAX_BLOCKS,
    sizeCalculation: ({ counted }) => counted.length + POSITION_OVERHEAD,
    ttl: TTL_MS,
  });

  keep(list: string, { counted, ...position }: PagePosition): void {
    this.#positions.set(list, { ...position, counted: counted.filter(({ count }) => count > 0) });
  }

  /** Returns where a window of a list lies; undefined if the cached blocks do not contain it. */
  find(list: string, version: number, { skip, take }: Window): TreeWindow | undefined {
    const position = this.#positions.get(list);
    if (position?.version !== version || skip < position.before) return undefined;
    const end = position.counted.reduce((sum, { count }) => sum + count, position.before);
    return skip + take > end ? undefined : cover(position.counted, { skip: skip - position.before, take });
  }
}
