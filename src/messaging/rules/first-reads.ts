import type { SeqRange } from './history-range';

/*
 * Which of the messages a member has just read were read by nobody before (see `FirstReadEntity`). Pure.
 */

/** What is known of a group's first reads: all above `frontier` is unread, below it only the gaps are. */
export interface FirstReads {
  frontier: number;
  /** Those that overlap the range in question. */
  gaps: SeqRange[];
}

/** What changes when a range is read. */
export interface FirstReadChange {
  frontier: number;
  /** Ranges that were first read now. */
  read: SeqRange[];
  /** What becomes of the gaps given: these are left, the given ones go. */
  gaps: SeqRange[];
}

const isSome = ({ from, to }: SeqRange): boolean => from <= to;

/** @param range what one member has just read; nothing in it was sent by that member. */
export function coverFirstReads({ frontier, gaps }: FirstReads, range: SeqRange): FirstReadChange {
  const newest = { from: Math.max(range.from, frontier + 1), to: range.to };
  const skipped = { from: frontier + 1, to: newest.from - 1 };
  const grows = isSome(newest);
  return {
    frontier: Math.max(frontier, range.to),
    read: [
      ...gaps.map((gap) => ({ from: Math.max(gap.from, range.from), to: Math.min(gap.to, range.to) })),
      newest,
    ].filter(isSome),
    gaps: [
      ...gaps.flatMap((gap) => [
        { from: gap.from, to: Math.min(gap.to, range.from - 1) },
        { from: Math.max(gap.from, range.to + 1), to: gap.to },
      ]),
      ...(grows ? [skipped] : []),
    ].filter(isSome),
  };
}

/** What several reads, one after the other, change. */
export function coverAll<Read extends { range: SeqRange }>(
  known: FirstReads,
  reads: readonly Read[],
): FirstReads & { read: Read[] } {
  let { frontier, gaps } = known;
  const first: Read[] = [];
  for (const read of reads) {
    const { range } = read;
    const touched = gaps.filter((gap) => gap.from <= range.to && gap.to >= range.from);
    const change = coverFirstReads({ frontier, gaps: touched }, range);
    gaps = [...gaps.filter((gap) => !touched.includes(gap)), ...change.gaps];
    frontier = change.frontier;
    first.push(...change.read.map((part) => ({ ...read, range: part })));
  }
  return { frontier, gaps, read: first };
}
