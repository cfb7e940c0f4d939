/* Retry schedule of failed attempts (API 14.4). */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Wait after the first, second, … failed attempt. The tenth attempt is the last one. */
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

/** Each wait varies by up to this ratio, so that deliveries that failed together are not retried together. */
const JITTER = 0.2;
const MAX_RETRY_AFTER_MS = 24 * HOUR;

/**
 * Returns the wait before the next attempt in milliseconds; undefined if there is no further attempt.
 * @param attempts number of attempts made
 * @param chance random number in [0, 1) for the jitter
 * @param requestedMs minimum wait requested by the receiver with `Retry-After`, honoured up to 24 h
 */
export function waitAfter(attempts: number, chance: number, requestedMs = 0): number | undefined {
  const wait = WAITS[attempts - 1];
  if (wait === undefined) return undefined;
  const jittered = Math.round(wait * (1 - JITTER + 2 * JITTER * chance));
  return Math.max(jittered, Math.min(requestedMs, MAX_RETRY_AFTER_MS));
}

/** Parses a header `Retry-After` (seconds or a date) into milliseconds from `now`; 0 if it is neither. */
export function retryAfterMs(header: string | undefined, now: Date): number {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND;
  // RFC 9110, 5.6.7: all three date formats that a recipient must accept start with the day of the week.
  const date = /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? 0 : Math.max(0, date - now.getTime());
}
