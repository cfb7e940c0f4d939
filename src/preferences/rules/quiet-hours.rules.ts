import { DateTime, IANAZone } from 'luxon';

/** Hours of the wall clock of a time zone, on some weekdays. */
export interface QuietHours {
  enabled: boolean;
  /** `HH:mm`. Equal to `to`: the whole day. Later than `to`: until `to` of the next day. */
  from: string;
  to: string;
  /** Days on which the hours begin: 1 (Monday) to 7 (Sunday). */
  days: number[];
  /** IANA name. */
  time_zone: string;
}

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
const MAX_ZONE = 64;
const DAYS = 7;

/** Returns whether a value has the form `HH:mm`, from 00:00 to 23:59. */
export const isTimeOfDay = (value: unknown): value is string => typeof value === 'string' && TIME.test(value);

/** Returns whether a value is an IANA name that this system knows. Offsets such as `+08:00` are no names. */
export const isTimeZone = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.length <= MAX_ZONE &&
  /^[A-Za-z]/.test(value) &&
  IANAZone.isValidZone(value);

/** Returns whether a value is a list of different weekdays, at least one. */
export const areWeekdays = (value: unknown): value is number[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  new Set(value).size === value.length &&
  value.every((day) => Number.isInteger(day) && day >= 1 && day <= DAYS);

/** Returns the minutes since midnight of `HH:mm`. */
const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/**
 * Returns whether a moment is within quiet hours: `from` included, `to` excluded. Hours over midnight belong to the day
 * on which they begin. The wall clock decides, so an hour that a change of the clock skips or repeats is skipped or
 * repeated here too.
 */
export function isQuiet(hours: QuietHours | null, now: Date): boolean {
  if (hours === null || !hours.enabled) return false;
  const local = DateTime.fromJSDate(now, { zone: hours.time_zone });
  const time = local.hour * 60 + local.minute;
  const { days } = hours;
  const [from, to] = [minutesOf(hours.from), minutesOf(hours.to)];
  const today = days.includes(local.weekday);
  if (from === to) return today;
  if (from < to) return today && from <= time && time < to;
  const yesterday = days.includes(local.weekday === 1 ? DAYS : local.weekday - 1);
  return (today && time >= from) || (yesterday && time < to);
}
