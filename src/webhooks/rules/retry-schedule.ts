/* When an attempt that failed is made again (contract 12.2). */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The wait after the first, second, … attempt; there is none after the last one. */
const WAITS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** Each wait is longer or shorter by up to this part of it, so that what failed together does not come together. */
const JITTER = 0.2;
const LONGEST_ASKED_MS = 24 * HOUR;

/**
 * For how long to wait before another attempt, in milliseconds; undefined: there is none.
 * @param attempts so many have been made
 * @param chance from 0 up to 1
 * @param askedMs what the receiver has asked for, which is honoured up to 24 h
 */
export function waitAfter(attempts: number, chance: number, askedMs = 0): number | undefined {
  const wait = WAITS[attempts - 1];
  if (wait === undefined) return undefined;
  const jittered = Math.round(wait * (1 - JITTER + 2 * JITTER * chance));
  return Math.max(jittered, Math.min(askedMs, LONGEST_ASKED_MS));
}

/** What a header `Retry-After` asks for, in milliseconds from `now`: seconds, or a date; 0 where it says neither. */
export function retryAfterMs(header: string | undefined, now: Date): number {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND;
  // RFC 9110, 5.6.7: of the three forms of a date that may be met, all begin with the day of the week.
  const date = /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? 0 : Math.max(0, date - now.getTime());
}
