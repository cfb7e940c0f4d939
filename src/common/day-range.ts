import { DateTime } from 'luxon';

/** Which stretch of time a list asks for, as it was sent: moments in ISO 8601, or days (`2026-01-31`). */
export interface TimeRangeRequest {
  from?: string;
  to?: string;
}

/** From a moment on, and before another. */
export interface TimeRange {
  from?: Date;
  before?: Date;
}

/** A day of the calendar. */
export const DAY = /^\d{4}-\d\d-\d\d$/;

/** What a database can hold; days at the ends of the calendar may lie partly beyond it. */
const EARLIEST = Date.parse('0001-01-01T00:00:00.000Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * The moments that a request means: `from` is included; `to` is not as a moment, and is as a day (contract 18.5).
 * @param zone whose days are meant, an IANA name
 */
export function timeRangeOf({ from, to }: TimeRangeRequest, zone: string): TimeRange {
  const startOf = (day: string): DateTime => DateTime.fromISO(day, { zone }).startOf('day');
  const momentOf = (text: string | undefined, days: number): Date | undefined => {
    if (text === undefined) return undefined;
    const moment = DAY.test(text) ? startOf(text).plus({ days }).toMillis() : Date.parse(text);
    return new Date(Math.min(Math.max(moment, EARLIEST), LATEST));
  };
  return { from: momentOf(from, 0), before: momentOf(to, 1) };
}
