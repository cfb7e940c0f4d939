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

/** Returns the range of a page, relative to the newest message, which is 0. Page 1 is the newest. */
export function pageRange({ page, per_page }: PageRequest): SeqRange {
  const to = (1 - page) * per_page;
  return { from: to - per_page + 1, to };
}

export type Side = 'older' | 'newer';

/** Returns the range of the `count` messages next to number `seq`, on its older or newer side. */
export const rangeBeside = (side: Side, seq: number, count: number): SeqRange =>
  side === 'older' ? { from: seq - count, to: seq - 1 } : { from: seq + 1, to: seq + count };

/** Whether a member sees messages beyond a range, on its older or newer side. */
export const hasMoreBeyond = (side: Side, { from, to }: SeqRange, { first, top }: Visible): boolean =>
  side === 'older' ? from > first : to < top;

export const lengthOf = ({ from, to }: SeqRange): number => Math.max(0, to - from + 1);
export const totalOf = ({ first, top }: Visible): number => lengthOf({ from: first, to: top });

/** Returns the shortest range that contains all of these. */
export const rangeOver = (ranges: readonly SeqRange[]): SeqRange => ({
  from: Math.min(...ranges.map(({ from }) => from)),
  to: Math.max(...ranges.map(({ to }) => to)),
});

/**
 * Splits messages, ordered by descending number, into runs of neighbours that span at most `span` numbers: what is read
 * for the range of a run is then bounded.
 */
export function runsOf<Message extends { seq: number }>(
  messages: readonly Message[],
  span: number,
): Message[][] {
  const runs: [Message, ...Message[]][] = [];
  for (const message of messages) {
    const run = runs.at(-1);
    if (run !== undefined && run[0].seq - message.seq < span) run.push(message);
    else runs.push([message]);
  }
  return runs;
}
