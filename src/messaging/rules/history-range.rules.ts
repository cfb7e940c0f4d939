import type { PageRequest } from '../../common/http/page';

/* Pages of a history, as ranges of message numbers: the cost of a page does not depend on its depth. Pure. */

/** The messages of a conversation that a member sees: `first` to `top`; none when `first > top`. */
export interface Visible {
  first: number;
  top: number;
}

/** A range of messages: `from` to `to`; none when `from > to`. */
export interface SeqRange {
  from: number;
  to: number;
}

/** Returns the number of the first message that a member sees: the first since joining that has not been cleared. */
export const firstVisible = ({ join_seq, cleared_seq }: { join_seq: number; cleared_seq: number }): number =>
  Math.max(join_seq, cleared_seq + 1);

/** Returns the range of a page; page 1 is the newest. */
export function pageRange({ first, top }: Visible, { page, per_page }: PageRequest): SeqRange {
  const to = top - (page - 1) * per_page;
  return { from: Math.max(first, to - per_page + 1), to };
}

/**
 * Returns the range of the `count` messages next to number `seq`, on its older or newer side, and whether there are
 * more beyond it.
 */
export function rangeBeside(
  { first, top }: Visible,
  { side, seq, count }: { side: 'older' | 'newer'; seq: number; count: number },
): SeqRange & { hasMore: boolean } {
  if (side === 'older') {
    const from = Math.max(first, seq - count);
    return { from, to: seq - 1, hasMore: from > first };
  }
  const to = Math.min(top, seq + count);
  return { from: seq + 1, to, hasMore: to < top };
}

export const lengthOf = ({ from, to }: SeqRange): number => Math.max(0, to - from + 1);
export const totalOf = ({ first, top }: Visible): number => lengthOf({ from: first, to: top });

/** Returns the shortest range that contains all of these. */
export const rangeOver = (ranges: readonly SeqRange[]): SeqRange => ({
  from: Math.min(...ranges.map(({ from }) => from)),
  to: Math.max(...ranges.map(({ to }) => to)),
});
