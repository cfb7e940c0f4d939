import { DateTime } from 'luxon';

/*
 * Calendar days of a time zone, as `2026-01-31`; these strings sort by date. Pure: no clock.
 */

/** No current time zone changes its date or offset within a minute, so days are cached per minute. */
const MINUTE_MS = 60_000;
const MAX_CACHED_MINUTES = 2_000;

/** Maps times to the calendar days of a time zone. */
export class CalendarDays {
  /** Days by minutes since 1970. Rows that are counted together mostly share a few minutes. */
  readonly #cache = new Map<number, string>();

  /** @param zone an IANA name */
  constructor(private readonly zone: string) {}

  /** Returns the day of a time in milliseconds since 1970. */
  of(moment: number): string {
    const minute = Math.floor(moment / MINUTE_MS);
    const cached = this.#cache.get(minute);
    if (cached !== undefined) return cached;
    if (this.#cache.size >= MAX_CACHED_MINUTES) this.#cache.clear();
    const day = DateTime.fromMillis(moment, { zone: this.zone }).toFormat('yyyy-MM-dd');
    this.#cache.set(minute, day);
    return day;
  }

  /** Returns the start of a day in milliseconds since 1970; where the clocks skip midnight, the first time after it. */
  startOf(day: string): number {
    return DateTime.fromISO(day, { zone: this.zone }).startOf('day').toMillis();
  }
}

const dateOf = (day: string): DateTime => DateTime.fromISO(day, { zone: 'utc' });

/** Returns the day `count` days after another, or before it if `count` is negative. */
export const plusDays = (day: string, count: number): string =>
  dateOf(day).plus({ days: count }).toFormat('yyyy-MM-dd');

/** Number of days in a range, both ends included; 0 or negative when the range is inverted. */
export const daysWithin = (from: string, to: string): number =>
  dateOf(to).diff(dateOf(from), 'days').days + 1;

/** Lists the days of a range, both ends included; empty when the range is inverted. */
export const daysFrom = (from: string, to: string): string[] =>
  Array.from({ length: Math.max(0, daysWithin(from, to)) }, (_, index) => plusDays(from, index));
