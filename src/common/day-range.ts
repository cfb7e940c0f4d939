import { DateTime } from 'luxon';
import { invalidField } from './errors/business-error';

/** Time range of a list as it was sent: timestamps in ISO 8601, or days (`2026-01-31`). */
export interface TimeRangeRequest {
  from?: string;
  to?: string;
}

/** Time range; `from` is included, `before` is not. */
export interface TimeRange {
  from?: Date;
  before?: Date;
}

/** Format of a calendar day. */
export const DAY = /^\d{4}-\d\d-\d\d$/;

/** Range of timestamps that the databases can store. Days at the ends of the calendar may lie partly outside. */
const EARLIEST = Date.parse('0001-01-01T00:00:00.000Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Converts a requested range to timestamps. `from` is included; `to` is excluded as a timestamp, and included as a day
 * (API 1.6).
 * @param zone IANA name of the time zone in which days begin
 */
export function timeRangeOf({ from, to }: TimeRangeRequest, zone: string): TimeRange {
  const startOfDay = (day: string): DateTime => DateTime.fromISO(day, { zone }).startOf('day');
  const toDate = (text: string | undefined, days: number): Date | undefined => {
    if (text === undefined) return undefined;
    const moment = DAY.test(text) ? startOfDay(text).plus({ days }).toMillis() : Date.parse(text);
    return new Date(Math.min(Math.max(moment, EARLIEST), LATEST));
  };
  return { from: toDate(from, 0), before: toDate(to, 1) };
}

const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;

/** Time range with a start; `from` is included, `before` is not. */
export interface BoundedRange {
  from: Date;
  before?: Date | undefined;
}

/**
 * Converts the requested range of a long list to timestamps. Without `from`, the range starts 30 days before `to`, or
 * before now if that is earlier (API 15.2).
 * @param zone IANA name of the time zone in which days begin
 * @throws {BusinessError} VALIDATION `to 取值无效`: the range ends before it begins, or is longer than 366 days
 */
export function boundedRangeOf(request: TimeRangeRequest, zone: string, now: Date): BoundedRange {
  const { from, before } = timeRangeOf(request, zone);
  const addDays = (moment: Date, days: number): Date =>
    DateTime.fromJSDate(moment, { zone }).plus({ days }).toJSDate();
  if (from === undefined)
    return { from: addDays(before && before < now ? before : now, -DEFAULT_DAYS), before };
  // `before` of a day is the start of the next day, so an equal `from` is already a day later.
  const isInverted =
    before !== undefined && (before < from || (before <= from && DAY.test(request.to ?? '')));
  if (isInverted || (before ?? now) > addDays(from, MAX_DAYS)) throw invalidField('to', 'invalid');
  return { from, before };
}
