import { formatDuration, isoLikeFormat, toInstant } from '../shared/format.js';

const DATE_LENGTH = '2026-01-31'.length;
const DAY_MS = 24 * 3600 * 1000;
/** Number of days that are named by their weekday. */
const WEEK = 7;

export interface Format {
  /** `14:02`. */
  time: (moment: string) => string;
  /** For lists: `14:02`, `Yesterday`, `Mon`, `Mar 3`, `Mar 3, 2025`. */
  short: (moment: string) => string;
  /** With the time of day: `14:02`, `Yesterday, 14:02`, `Mon, 14:02`, `Mar 3, 14:02`. */
  moment: (moment: string) => string;
  /** `moment` within a sentence: `yesterday, 14:02`. */
  momentInText: (moment: string) => string;
  /** For a tooltip: `Tuesday, March 3, 2026 at 14:02`. */
  full: (moment: string) => string;
  /** Date in the time zone of the browser: `2026-01-31`. */
  date: (moment: string) => string;
  /** A date `2026-01-31` as `Today`, `Yesterday`, `Monday`, `March 3`, `March 3, 2025`. */
  day: (date: string) => string;
  /** `12,345`. */
  number: (value: number) => string;
  /** Seconds as `1:05` or `1:01:05`; `–` for null. */
  duration: (seconds: number | null) => string;
}

export interface FormatContext {
  serviceZone: string | undefined;
  /** Default: the time zone of the browser. */
  browserZone?: string;
  /** Date in the time zone of the browser: `2026-01-31`. */
  today: string;
}

/** Creates a formatter for timestamps, numbers and durations in a language, with names for recent days. */
export function createFormat(language: string, { serviceZone, browserZone, today }: FormatContext): Format {
  const inLanguage = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { hourCycle: 'h23', timeZone: browserZone, ...options });
  // Dates are formatted as UTC instants, so that no clock change shifts them.
  const ofDate = (options: Intl.DateTimeFormatOptions) => inLanguage({ ...options, timeZone: 'UTC' });
  const clock = inLanguage({ hour: '2-digit', minute: '2-digit' });
  const whole = inLanguage({ dateStyle: 'full', timeStyle: 'short' });
  const numbers = new Intl.NumberFormat(language);
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const names = {
    short: {
      weekday: ofDate({ weekday: 'short' }),
      thisYear: ofDate({ month: 'short', day: 'numeric' }),
      anyYear: ofDate({ year: 'numeric', month: 'short', day: 'numeric' }),
    },
    long: {
      weekday: ofDate({ weekday: 'long' }),
      thisYear: ofDate({ month: 'long', day: 'numeric' }),
      anyYear: ofDate({ year: 'numeric', month: 'long', day: 'numeric' }),
    },
  };
  const dates = isoLikeFormat(browserZone, 'short');
  const at = (moment: string): number => toInstant(moment, serviceZone);
  const time = (moment: string): string => clock.format(at(moment));
  const date = (moment: string): string => dates.format(at(moment)).slice(0, DATE_LENGTH);
  const nameOf = (day: string, { weekday, thisYear, anyYear }: (typeof names)['short']): string => {
    const instant = Date.parse(day);
    const distance = Math.round((instant - Date.parse(today)) / DAY_MS);
    if (Math.abs(distance) <= 1) return relative.format(distance, 'day');
    if (distance < 0 && distance > -WEEK) return weekday.format(instant);
    return (day.slice(0, 4) === today.slice(0, 4) ? thisYear : anyYear).format(instant);
  };
  const momentInText = (moment: string): string =>
    date(moment) === today
      ? time(moment)
      : `${nameOf(date(moment), names.short)}${separator(language)}${time(moment)}`;
  return {
    time,
    date,
    short: (moment) =>
      date(moment) === today ? time(moment) : capitalise(nameOf(date(moment), names.short)),
    moment: (moment) => capitalise(momentInText(moment)),
    momentInText,
    full: (moment) => whole.format(at(moment)),
    day: (day) => capitalise(nameOf(day, names.long)),
    number: (value) => numbers.format(value),
    duration: formatDuration,
  };
}

const separator = (language: string): string => (language === 'en' ? ', ' : ' ');

const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
