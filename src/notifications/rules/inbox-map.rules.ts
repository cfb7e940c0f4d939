import { type CodeCount, countMatching, type InboxBlock, type StateFilter } from './inbox-block.rules';

/** The counts of one type of notifications in an inbox. */
export interface TypeCounts extends CodeCount {
  type: string;
  /** Stands for the type in the blocks of the inbox map, from 1. */
  code: number;
  /** The version of the inbox that last marked the type read; 0: none. Unread bits of older blocks are void. */
  epoch: number;
}

/** Returns the counts of a type that the inbox does not have yet. */
export function newTypeCounts(type: string, existing: Iterable<Pick<TypeCounts, 'code'>>): TypeCounts {
  const codes = new Set(Array.from(existing, ({ code }) => code));
  let code = 1;
  while (codes.has(code)) code += 1;
  return { type, code, total: 0, unread: 0, archived: 0, archived_unread: 0, epoch: 0 };
}

/** The filters of a list; undefined: not filtered. */
export interface ListFilter extends StateFilter {
  type?: string;
}

/** A part of a list: `take` elements after the first `skip`. */
export interface Window {
  skip: number;
  take: number;
}

/** The position of a notification. */
export interface ListedPosition {
  seq: number;
  isUnread: boolean;
}

/** The content of an inbox at one version. */
interface InboxContent {
  version: number;
  /** By type. */
  types: ReadonlyMap<string, TypeCounts>;
  blocks: readonly InboxBlock[];
}

/** Estimated memory of a map, of one of its blocks and of one of its types, besides the content. */
const MAP_BYTES = 500;
const BLOCK_BYTES = 700;
const TYPE_BYTES = 200;

/**
 * The inbox map: the types and read states of all notifications of an inbox at one version. Finds the positions of any
 * page of any list without the database. Immutable.
 */
export class InboxMap {
  readonly version: number;
  readonly types: ReadonlyMap<string, TypeCounts>;
  readonly #epochs: ReadonlyMap<number, number>;
  /** Newest first. */
  readonly #blocks: readonly InboxBlock[];

  constructor({ version, types, blocks }: InboxContent) {
    this.version = version;
    this.types = types;
    this.#epochs = new Map(Array.from(types.values(), ({ code, epoch }) => [code, epoch]));
    this.#blocks = blocks.toSorted((a, b) => b.start - a.start);
  }

  /** Estimated size in memory. */
  get bytes(): number {
    const perBlock = this.#blocks.reduce((sum, { bytes }) => sum + bytes + BLOCK_BYTES, 0);
    return MAP_BYTES + this.types.size * TYPE_BYTES + perBlock;
  }

  /**
   * Returns the map of a newer version.
   * @param content the blocks that were written since this version
   * @returns undefined if a block was deleted since; then all blocks have to be read
   */
  advance({ version, types, blocks }: InboxContent): InboxMap | undefined {
    if (version < this.version) return undefined;
    const written = new Set(blocks.map(({ start }) => start));
    const kept = this.#blocks.filter(({ start }) => !written.has(start));
    const next = new InboxMap({ version, types, blocks: [...kept, ...blocks] });
    // The written blocks are complete, so only a deleted block can make the sum differ.
    return next.#total() === sum([...types.values()].map(({ total }) => total)) ? next : undefined;
  }

  /** Returns the positions of a window of a list, newest first. */
  positions(filter: ListFilter, { skip, take }: Window): ListedPosition[] {
    const code = filter.type === undefined ? undefined : (this.types.get(filter.type)?.code ?? 0);
    const found: ListedPosition[] = [];
    let before = 0;
    for (const block of this.#blocks) {
      if (found.length === take) break;
      const count = this.#countIn(block, code, filter);
      if (before + count > skip) this.#collect(block, code, filter, { before, skip, take }, found);
      before += count;
    }
    return found;
  }

  #total(): number {
    return sum(this.#blocks.map(({ counts }) => sum(Array.from(counts.values(), ({ total }) => total))));
  }

  /** Returns the number of elements of a list in a block. */
  #countIn(block: InboxBlock, wanted: number | undefined, filter: StateFilter): number {
    let elements = 0;
    for (const [code, counts] of block.counts) {
      if (wanted !== undefined && code !== wanted) continue;
      const isValid = block.version > this.#epochOf(code);
      elements += countMatching(isValid ? counts : { ...counts, unread: 0, archived_unread: 0 }, filter);
    }
    return elements;
  }

  /** Appends the elements of the window in one block. `before`: number of elements in newer blocks. */
  #collect(
    block: InboxBlock,
    wanted: number | undefined,
    { is_read: isRead, archived }: StateFilter,
    { before, skip, take }: Window & { before: number },
    found: ListedPosition[],
  ): void {
    let passed = before;
    for (let seq = block.end - 1; seq >= block.start && found.length < take; seq -= 1) {
      const code = block.codeAt(seq);
      if (code === 0 || (wanted !== undefined && code !== wanted)) continue;
      const isUnread = block.isUnreadAt(seq, this.#epochOf(code));
      if (isRead !== undefined && isUnread !== (isRead === 0)) continue;
      if (block.isArchivedAt(seq) !== (archived === 1)) continue;
      if (passed >= skip) found.push({ seq, isUnread });
      passed += 1;
    }
  }

  #epochOf(code: number): number {
    return this.#epochs.get(code) ?? 0;
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
