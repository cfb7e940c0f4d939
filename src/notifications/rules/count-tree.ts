/*
 * The count tree of an inbox, without the database. Positions (`seq`) are cut into blocks of 32, those into blocks of
 * 1,024 and of 32,768, and each block counts its notifications, by type. Any page of any list is found by going
 * down from the top, over a few dozen counts a level, whatever was deleted, read or left unread in between.
 */

export const BLOCK_SIZE = 32;
/** How many positions a block of each level spans. The last level is the root: one block for the whole inbox. */
const SPANS = [BLOCK_SIZE, 1_024, 32_768, 2 ** 53];

export const ROOT_LEVEL = SPANS.length - 1;

/** An inclusive range of blocks or positions. */
export interface Range {
  from: number;
  to: number;
}

/** Which part of a list is wanted: `take` of its elements after the first `skip`. */
export interface Window {
  skip: number;
  take: number;
}

/** How many elements of the list lie in a block. */
export interface Counted {
  block: number;
  count: number;
}

/** So many blocks are looked through rather than found by a level more. */
const FEW = 4;

/** Where the way down the tree begins: at all blocks of the lowest level that has but a few, newest first. */
export function topOf(lastSeq: number): { level: number; blocks: number[] } {
  const level = SPANS.findIndex((span) => lastSeq < FEW * span);
  const newest = Math.floor(lastSeq / (SPANS[level] ?? 1));
  return { level, blocks: Array.from({ length: newest + 1 }, (_, index) => newest - index) };
}

/** The nodes that count the notification at position `seq`: one a level, the root last. */
export const nodesOf = (seq: number): { level: number; block: number }[] =>
  SPANS.map((span, level) => ({ level, block: Math.floor(seq / span) }));

/** Some blocks, in the order of the list, and a window counted from the start of the first of them. */
export interface Place {
  blocks: number[];
  window: Window;
}

/** The blocks (given in the order of the list) that hold the window, without those that hold nothing of the list. */
export function cover(counted: Counted[], { skip, take }: Window): Place {
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
 * What lies below some blocks of a level (given in descending order): ranges of blocks of the level below, or of
 * positions below level 0. Neighbours are joined.
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
