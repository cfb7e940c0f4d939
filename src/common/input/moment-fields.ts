import { DAY } from '../day-range';
import type { LocalizedMessage } from '../i18n/catalogue';
import { emptyAsOmitted, field, type FieldOptions, INVALID } from './fields';

/* Decorators for fields with timestamps, like those of `fields.ts`. */

/** A date and a time of day with the offset from UTC. */
const ISO_TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;

/** Parses an ISO 8601 text with an offset. Returns undefined if it is invalid, including dates such as 30 February. */
function parseTimestamp(text: string): Date | undefined {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(text) ?? [];
  const date = new Date(text);
  if (!ISO_TIMESTAMP.test(text) || Number.isNaN(date.getTime())) return undefined;
  // The range that the databases can store, checked in UTC after the offset is applied.
  if (date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9999) return undefined;
  // `Date` reads 30 February as 2 March.
  const lastDay = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  return Number(day) <= lastDay ? date : undefined;
}

const readTimestamp = (value: unknown): unknown =>
  typeof value === 'string' && value !== '' ? (parseTimestamp(value) ?? value) : emptyAsOmitted(value);

const checkTimestamp = (value: unknown): LocalizedMessage | undefined => {
  if (value instanceof Date) return undefined;
  return typeof value === 'string' ? INVALID : 'notAString';
};

/** A timestamp in ISO 8601 with an offset, read as a `Date`. */
export const Timestamp = (options: FieldOptions = {}): PropertyDecorator =>
  field({
    ...options,
    read: readTimestamp,
    check: checkTimestamp,
    schema: { type: String, format: 'date-time' },
  });

/** A timestamp in ISO 8601 with an offset, or a day such as `2026-01-31`, in a query. The value remains a string. */
export const MomentOrDay = (): PropertyDecorator =>
  field({
    optional: true,
    read: emptyAsOmitted,
    check: (value) =>
      typeof value === 'string' &&
      parseTimestamp(DAY.test(value) ? `${value}T00:00:00Z` : value) !== undefined
        ? undefined
        : INVALID,
    schema: { type: String },
  });

/** A calendar day in a query, such as `2026-01-31`. */
export const CalendarDay = (): PropertyDecorator =>
  field({
    optional: true,
    read: emptyAsOmitted,
    check: (value) =>
      typeof value === 'string' && DAY.test(value) && parseTimestamp(`${value}T00:00:00Z`) !== undefined
        ? undefined
        : INVALID,
    schema: { type: String, pattern: DAY.source },
  });
