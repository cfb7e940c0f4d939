import { DateTime } from 'luxon';

/*
 * Days of a time zone, as `2026-01-31`. Such texts compare in the order of the days. Pure: no clock.
 */

/** No clock of our time has changed its day, or its offset, within a minute. */
const MINUTE_MS = 60_000;
const MINUTES_REMEMBERED = 2_000;

/** The days by which a time zone counts. */
export class CalendarDays {
  /** By the minute, in minutes since 1970. What is counted together is mostly of the same few. */
  readonly #known = new Map<number, string>();

  /** @param zone an IANA name */
  constructor(private readonly zone: string) {}

  /** The day of a moment, in milliseconds since 1970. */
  of(moment: number): string {
    const minute = Math.floor(moment / MINUTE_MS);
    const known = this.#known.get(minute);
    if (known !== undefined) return known;
    if (this.#known.size >= MINUTES_REMEMBERED) this.#known.clear();
    const day = DateTime.fromMillis(moment, { zone: this.zone }).toFormat('yyyy-MM-dd');
    this.#known.set(minute, day);
    return day;
  }

  /** When a day begins, in milliseconds since 1970: where the clocks skip midnight, at what comes after it. */
  startOf(day: string): number {
    return DateTime.fromISO(day, { zone: this.zone }).startOf('day').toMillis();
  }
}

const dateOf = (day: string): DateTime => DateTime.fromISO(day, { zone: 'utc' });

/** The day so many days after another; negative: before. */
export const plusDays = (day: string, count: number): string =>
  dateOf(day).plus({ days: count }).toFormat('yyyy-MM-dd');

/** How many days a range has, both ends included; none or fewer where it is inverted. */
export const daysWithin = (from: string, to: string): number =>
  dateOf(to).diff(dateOf(from), 'days').days + 1;

/** The days of a range, both ends included. */
export const daysFrom = (from: string, to: string): string[] =>
  Array.from({ length: Math.max(0, daysWithin(from, to)) }, (_, index) => plusDays(from, index));
