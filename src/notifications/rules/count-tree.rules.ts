/*
 * The count tree of an inbox, without the database. Positions (`seq`) are grouped into blocks of 32, 1,024 and 32,768,
 * and each block counts its notifications by type. Any page of any list is found by descending from the top, over a few
 * dozen counts per level, regardless of which notifications were deleted or read.
 */

export const BLOCK_SIZE = 32;
/** Number of positions in a block, by level. The last level is the root: one block for the whole inbox. */
const SPANS = [BLOCK_SIZE, 1_024, 32_768, 2 ** 53];

export const ROOT_LEVEL = SPANS.length - 1;

/** An inclusive range of blocks or positions. */
export interface Range {
  from: number;
  to: number;
}

/** A part of a list: `take` elements after the first `skip`. */
export interface Window {
  skip: number;
  take: number;
}

/** The number of elements of a list in a block. */
export interface Counted {
  block: number;
  count: number;
}

/**
 * The descent starts at the lowest level with at most this many blocks: reading a few is cheaper than another level.
 */
const MAX_LINEAR_BLOCKS = 4;

/** Returns where the descent starts: all blocks of the lowest level that has only a few, newest first. */
export function topOf(lastSeq: number): { level: number; blocks: number[] } {
  const level = SPANS.findIndex((span) => lastSeq < MAX_LINEAR_BLOCKS * span);
  const newest = Math.floor(lastSeq / (SPANS[level] ?? 1));
  return { level, blocks: Array.from({ length: newest + 1 }, (_, index) => newest - index) };
}

/** Returns the nodes that count the notification at position `seq`: one per level, the root last. */
export const nodesOf = (seq: number): { level: number; block: number }[] =>
  SPANS.map((span, level) => ({ level, block: Math.floor(seq / span) }));

/** Blocks in list order, and a window relative to the start of the first block. */
export interface TreeWindow {
  blocks: number[];
  window: Window;
}

/** Returns those of the blocks (given in list order) that contain the window, without empty ones. */
export function cover(counted: Counted[], { skip, take }: Window): TreeWindow {
  const blocks: number[] = [];
  let before = 0;
  let skipped = 0;
  for (const { block, count } of counted) {
    const overlaps = count > 0 && before + count > skip && before < skip + take;
    if (overlaps && blocks.push(block) === 1) skipped = before;
    before += count;
  }
  return { blocks, window: { skip: skip - skipped, take } };
}

/**
 * Returns what lies below blocks of a level (given in descending order): ranges of blocks of the next lower level, or
 * of positions below level 0. Adjacent ranges are merged.
 */
export function below(level: number, blocks: number[]): Range[] {
  const width = (SPANS[level] ?? 1) / (SPANS[level - 1] ?? 1);
  const ranges: Range[] = [];
  for (const block of blocks) {
    const last = ranges.at(-1);
    if (last?.from === (block + 1) * width) last.from = block * width;
    else ranges.push({ from: block * width, to: (block + 1) * width - 1 });
  }
  return ranges;
}
