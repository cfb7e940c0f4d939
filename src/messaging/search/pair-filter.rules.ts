/*
 * A filter of a range of messages: a Bloom filter over the pairs of neighbouring characters of their folded texts. It
 * shows which ranges cannot contain a keyword, and never excludes one that does (docs/adr/0063). Pure.
 */

/** Size of a filter in bytes: two rows fit into one page of SQLite. */
export const FILTER_BYTES = 1_920;
/** Maximum number of messages of a filter. */
export const MAX_FILTERED_MESSAGES = 128;
/** Maximum number of different pairs of a filter. More would set so many bits that it excludes little. */
export const MAX_PAIRS = 2_000;

const BITS = FILTER_BYTES * 8;
/** Number of bits per pair. */
const HASHES = 4;
/** A code point has 21 bits, so a pair of them fits into a JavaScript integer. */
const SECOND = 2 ** 21;

/** Returns the different pairs of neighbouring code points of a folded text. */
export function pairsOf(folded: string): Set<number> {
  const pairs = new Set<number>();
  let previous: number | undefined;
  for (const character of folded) {
    const point = character.codePointAt(0) ?? 0;
    if (previous !== undefined) pairs.add(previous * SECOND + point);
    previous = point;
  }
  return pairs;
}

/** Returns a filter of these pairs. */
export function filterOf(pairs: Iterable<number>): Uint8Array {
  const filter = new Uint8Array(FILTER_BYTES);
  addPairs(filter, pairs);
  return filter;
}

/** Adds pairs to a filter. */
export function addPairs(filter: Uint8Array, pairs: Iterable<number>): void {
  for (const pair of pairs) {
    for (const bit of bitsOf(pair)) filter[bit >> 3] = (filter[bit >> 3] ?? 0) | (1 << (bit & 7));
  }
}

/** Whether a range with this filter may contain all of these pairs. */
export function mayContain(filter: Uint8Array, pairs: Iterable<number>): boolean {
  for (const pair of pairs) {
    for (const bit of bitsOf(pair)) if (((filter[bit >> 3] ?? 0) & (1 << (bit & 7))) === 0) return false;
  }
  return true;
}

/** Returns the bits of a pair, by double hashing. */
function bitsOf(pair: number): number[] {
  const low = mixed(pair % 2 ** 32);
  const high = mixed(Math.floor(pair / 2 ** 32) ^ low ^ 0x9e3779b9) | 1;
  return Array.from({ length: HASHES }, (_, index) => ((low + Math.imul(index, high)) >>> 0) % BITS);
}

/** The finaliser of MurmurHash3: each bit of the input changes half of the bits of the result. */
function mixed(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** A message to filter. */
export interface FilteredText {
  seq: number;
  /** The folded text; null if a search does not read the message. */
  folded: string | null;
}

/** A filter of the messages `from` to `to`. */
export interface RangeFilter {
  from: number;
  to: number;
  bits: Uint8Array;
}

/**
 * Builds the filters of consecutive messages. Each ends after `MAX_FILTERED_MESSAGES` messages, or before the message
 * that would exceed `MAX_PAIRS`.
 * @returns the complete filters; messages after the last one have none yet
 */
export function buildFilters(messages: readonly FilteredText[]): RangeFilter[] {
  const filters: RangeFilter[] = [];
  let from = messages[0]?.seq ?? 0;
  let pairs = new Set<number>();
  for (const { seq, folded } of messages) {
    const own = folded === null ? new Set<number>() : pairsOf(folded);
    const added = [...own].filter((pair) => !pairs.has(pair));
    if (seq > from && pairs.size + added.length > MAX_PAIRS) {
      filters.push({ from, to: seq - 1, bits: filterOf(pairs) });
      from = seq;
      pairs = own;
    } else for (const pair of added) pairs.add(pair);
    if (seq - from + 1 === MAX_FILTERED_MESSAGES) {
      filters.push({ from, to: seq, bits: filterOf(pairs) });
      from = seq + 1;
      pairs = new Set();
    }
  }
  return filters;
}
