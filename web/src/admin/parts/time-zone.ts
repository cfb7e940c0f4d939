import { fromLocal } from '../../shared/format';

/**
 * Converts a local time in a time zone to a timestamp: `2026-01-31T16:00` in Asia/Shanghai is
 * `2026-01-31T08:00:00.000Z`.
 *
 * @param timeZone IANA name; the browser's time zone if undefined
 * @returns invalid input unchanged, so that the service rejects it
 */
export function toTimestamp(timeZone: string | undefined, local: string): string {
  const localAsUtc = Date.parse(`${local}Z`);
  return Number.isNaN(localAsUtc) ? local : new Date(fromLocal(localAsUtc, timeZone)).toISOString();
}

const DAY_MS = 86_400_000;

/**
 * Returns the end of a day (`2026-01-31`) in a time zone: the start of the next day.
 *
 * @returns ISO 8601 in UTC; invalid input unchanged, so that the service rejects it
 */
export function endOfDay(timeZone: string | undefined, day: string): string {
  const midnight = Date.parse(`${day}T00:00:00.000Z`) + DAY_MS;
  if (Number.isNaN(midnight)) return day;
  return toTimestamp(timeZone, new Date(midnight).toISOString().slice(0, -1));
}

/** Returns the last day in a time zone that begins before a timestamp. */
export function lastDayBefore(timeZone: string | undefined, moment: string): string {
  const before = new Date(Date.parse(moment) - 1);
  return new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone }).format(before);
}
