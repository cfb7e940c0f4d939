import { DAY } from '../day-range';
import type { Saying } from '../words/words';
import { field, type FieldOptions } from './fields';

/* Fields that hold moments, as those of `fields.ts`. */

const INVALID = '取值无效';

const emptyAsOmitted = (value: unknown): unknown => (value === '' ? undefined : (value ?? undefined));

/** A date and a time of day with its offset from UTC. */
const ISO_MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;

/** The moment that an ISO 8601 text with an offset names; undefined when it names none, such as 30 February. */
function momentOf(text: string): Date | undefined {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(text) ?? [];
  const date = new Date(text);
  if (!ISO_MOMENT.test(text) || Number.isNaN(date.getTime())) return undefined;
  // What a database can hold, whatever the offset has made of it.
  if (date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9999) return undefined;
  // `Date` takes 30 February for 2 March.
  const lastDay = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  return Number(day) <= lastDay ? date : undefined;
}

const textAsMoment = (value: unknown): unknown =>
  typeof value === 'string' && value !== '' ? (momentOf(value) ?? value) : emptyAsOmitted(value);

const checkMoment = (value: unknown): Saying | undefined => {
  if (value instanceof Date) return undefined;
  return typeof value === 'string' ? INVALID : '必须是字符串';
};

/** A moment in ISO 8601 with its offset, read as a `Date`; null, where `nullable`, is a value of its own. */
export function Timestamp({ nullable = false, ...options }: FieldOptions & { nullable?: boolean } = {}) {
  return field({
    ...options,
    read: (value) => (nullable && value === null ? null : textAsMoment(value)),
    check: (value) => (value === null ? undefined : checkMoment(value)),
    schema: { type: String, format: 'date-time', nullable: nullable || undefined },
  });
}

/** A moment in ISO 8601 with its offset, or a day such as `2026-01-31`, in a query; it stays a text. */
export const MomentOrDay = (): PropertyDecorator =>
  field({
    optional: true,
    read: emptyAsOmitted,
    check: (value) => {
      if (typeof value !== 'string') return INVALID;
      return momentOf(DAY.test(value) ? `${value}T00:00:00Z` : value) === undefined ? INVALID : undefined;
    },
    schema: { type: String },
  });

/** A day of the calendar in a query, such as `2026-01-31`. */
export const CalendarDay = (): PropertyDecorator =>
  field({
    optional: true,
    read: emptyAsOmitted,
    check: (value) =>
      typeof value === 'string' && DAY.test(value) && momentOf(`${value}T00:00:00Z`) !== undefined
        ? undefined
        : INVALID,
    schema: { type: String, pattern: DAY.source },
  });
