import type { SeqRange } from './history-range.rules';

/* Determines which of the messages that a member has just read had no reader before (see `FirstReadEntity`). Pure. */

/** The first reads of a group: messages above `frontier` are unread; below it only those in `gaps` are. */
export interface FirstReads {
  frontier: number;
  /** The gaps that overlap the range that is read. */
  gaps: SeqRange[];
}

/** The change when a range is read. */
export interface FirstReadChange {
  frontier: number;
  /** The ranges that were read for the first time. */
  read: SeqRange[];
  /** The gaps that replace the given ones. */
  gaps: SeqRange[];
}

const isNonEmpty = ({ from, to }: SeqRange): boolean => from <= to;

/**
 * Returns the change when a member reads a range.
 * @param range messages that one member has just read, none of which that member has sent
 */
export function coverFirstReads({ frontier, gaps }: FirstReads, range: SeqRange): FirstReadChange {
  const aboveFrontier = { from: Math.max(range.from, frontier + 1), to: range.to };
  const skipped = { from: frontier + 1, to: aboveFrontier.from - 1 };
  const grows = isNonEmpty(aboveFrontier);
  return {
    frontier: Math.max(frontier, range.to),
    read: [
      ...gaps.map((gap) => ({ from: Math.max(gap.from, range.from), to: Math.min(gap.to, range.to) })),
      aboveFrontier,
    ].filter(isNonEmpty),
    gaps: [
      ...gaps.flatMap((gap) => [
        { from: gap.from, to: Math.min(gap.to, range.from - 1) },
        { from: Math.max(gap.from, range.to + 1), to: gap.to },
      ]),
      ...(grows ? [skipped] : []),
    ].filter(isNonEmpty),
  };
}

/** Applies several reads, one after the other. */
export function coverAll<Read extends { range: SeqRange }>(
  initial: FirstReads,
  reads: readonly Read[],
): FirstReads & { read: Read[] } {
  let { frontier, gaps } = initial;
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
