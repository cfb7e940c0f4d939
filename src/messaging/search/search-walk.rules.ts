import type { SeqRange } from '../rules/history-range.rules';
import { mayContain } from './pair-filter.rules';

/* Which messages a search reads: those of ranges whose filter does not exclude the keyword. Pure. */

/** Maximum number of messages, and of ranges, of one statement: a message has up to 20 kB. */
const TEXTS_PER_STATEMENT = 500;
const RANGES_PER_STATEMENT = 50;

/** The messages of one conversation that a search examines: `from` to `to`. */
export interface SearchSegment extends SeqRange {
  conversation_id: number;
}

/** A stored filter. */
export interface StoredFilter {
  conversation_id: number;
  from_seq: number;
  to_seq: number;
  bits: Uint8Array;
}

/** A position in the order of a search: conversations by descending id, in each messages by descending number. */
export interface SearchPosition {
  conversation_id: number;
  /** The search continues below this message. */
  seq: number;
}

/** The ranges that a request reads, and the position at which the next request continues. */
export interface SearchWalk {
  /** In the order of the search. */
  ranges: SearchSegment[];
  /** Position up to which the segments are examined; undefined: all of them. */
  end: SearchPosition | undefined;
}

/**
 * Returns the ranges of the segments that may contain a keyword.
 * @param segments in the order of the search
 * @param filters of the segments, in the order of the search
 * @param pairs the pairs of the keyword; without any, no filter excludes it
 * @param isCut whether there may be more filters after the last one: the search ends with it
 */
export function walkOf(
  segments: readonly SearchSegment[],
  filters: readonly StoredFilter[],
  { pairs, isCut }: { pairs: ReadonlySet<number>; isCut: boolean },
): SearchWalk {
  const byConversation = Map.groupBy(filters, ({ conversation_id }) => conversation_id);
  const last = isCut ? filters.at(-1) : undefined;
  const ranges: SearchSegment[] = [];
  for (const { conversation_id, from, to } of segments) {
    const add = (range: SeqRange): void => {
      if (range.from <= range.to) ranges.push({ conversation_id, ...range });
    };
    let top = to;
    for (const { from_seq, to_seq, bits } of byConversation.get(conversation_id) ?? []) {
      add({ from: Math.max(from, to_seq + 1), to: top });
      top = Math.min(top, to_seq);
      if (mayContain(bits, pairs)) add({ from: Math.max(from, from_seq), to: top });
      top = Math.min(top, from_seq - 1);
    }
    if (last?.conversation_id === conversation_id) return { ranges, end: { conversation_id, seq: top + 1 } };
    add({ from, to: top });
  }
  return { ranges, end: undefined };
}

/** Cuts the ranges after `limit` messages. */
export function cutWalk({ ranges, end }: SearchWalk, limit: number): SearchWalk {
  let left = limit;
  const kept: SearchSegment[] = [];
  for (const range of ranges) {
    const from = Math.max(range.from, range.to - left + 1);
    kept.push({ ...range, from });
    left -= range.to - from + 1;
    if (from > range.from)
      return { ranges: kept, end: { conversation_id: range.conversation_id, seq: from } };
    if (left === 0 && range !== ranges.at(-1))
      return { ranges: kept, end: { conversation_id: range.conversation_id, seq: range.from } };
  }
  return { ranges: kept, end };
}

/** Splits ranges into chunks of at most 500 messages and 50 ranges, one per statement, in the order of the search. */
export function chunksOf(ranges: readonly SearchSegment[]): SearchSegment[][] {
  const chunks: SearchSegment[][] = [];
  let texts = 0;
  for (const range of ranges.flatMap(piecesOf)) {
    const chunk = chunks.at(-1);
    const length = range.to - range.from + 1;
    if (chunk !== undefined && chunk.length < RANGES_PER_STATEMENT && texts + length <= TEXTS_PER_STATEMENT) {
      chunk.push(range);
      texts += length;
    } else {
      chunks.push([range]);
      texts = length;
    }
  }
  return chunks;
}

/** Splits a range into pieces that one statement may read, the newest messages first. */
function piecesOf({ conversation_id, from, to }: SearchSegment): SearchSegment[] {
  const pieces: SearchSegment[] = [];
  for (let top = to; top >= from; top -= TEXTS_PER_STATEMENT)
    pieces.push({ conversation_id, from: Math.max(from, top - TEXTS_PER_STATEMENT + 1), to: top });
  return pieces;
}
