import { DateTime } from 'luxon';
import { invalidField } from './errors/business-error';

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

const USUAL_DAYS = 30;
const MOST_DAYS = 366;

/** From a moment on, and before another where one is said. */
export interface BoundedRange {
  from: Date;
  before?: Date | undefined;
}

/**
 * The moments that a long list is asked for; where `from` is left out, the 30 days before `to`, or before now (contract
 * 14.2).
 * @param zone whose days are meant, an IANA name
 * @throws {BusinessError} VALIDATION `to 取值无效`: it ends before it begins, or is longer than 366 days
 */
export function boundedRangeOf(request: TimeRangeRequest, zone: string, now: Date): BoundedRange {
  const { from, before } = timeRangeOf(request, zone);
  const later = (moment: Date, days: number): Date =>
    DateTime.fromJSDate(moment, { zone }).plus({ days }).toJSDate();
  if (from === undefined) return { from: later(before && before < now ? before : now, -USUAL_DAYS), before };
  // Up to the end of a day is up to the beginning of the next one.
  const isInverted =
    before !== undefined && (before < from || (before <= from && DAY.test(request.to ?? '')));
  if (isInverted || (before ?? now) > later(from, MOST_DAYS)) throw invalidField('to', '取值无效');
  return { from, before };
}
