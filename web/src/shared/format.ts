/** Timestamps of conversations, messages and readers are in the time zone of the service: `2026-01-31 16:00:00`. */
const ON_SERVICE_CLOCKS = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

/** Text for null. */
export const NOTHING = '–';

/** Creates a formatter like `2026-01-31 16:00:05`: the Swedish locale follows ISO 8601. */
export const isoLikeFormat = (timeZone: string | undefined, timeStyle: 'short' | 'medium') =>
  new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle, timeZone });

/**
 * Parses a timestamp of the service. Returns milliseconds since 1970.
 * @param moment ISO 8601, or `2026-01-31 16:00:00` in the time zone of the service
 * @param serviceZone time zone of the service; undefined: the time zone of the browser
 */
export function toInstant(moment: string, serviceZone: string | undefined): number {
  if (!ON_SERVICE_CLOCKS.test(moment)) return Date.parse(moment);
  return fromLocal(Date.parse(`${moment.replace(' ', 'T')}Z`), serviceZone);
}

/**
 * Returns the instant at which clocks in a time zone show the date and time that UTC has at `asUtc`. Both are milliseconds since
 * 1970 in whole seconds.
 * @param timeZone IANA name; the browser's time zone if undefined
 */
export function fromLocal(asUtc: number, timeZone: string | undefined): number {
  // Needs the offset at the instant itself, which differs from the one at `asUtc` around a clock change.
  const guess = asUtc - offsetAt(asUtc, timeZone);
  return asUtc - offsetAt(guess, timeZone);
}

/** Returns the offset of a time zone from UTC, in milliseconds. `instant` is in whole seconds. */
function offsetAt(instant: number, timeZone: string | undefined): number {
  const shown = isoLikeFormat(timeZone, 'medium').format(instant);
  return Date.parse(`${shown.replace(' ', 'T')}Z`) - instant;
}

/** Formats seconds as `1:05` or `1:01:05`; null as `–`. */
export const formatDuration = (seconds: number | null): string =>
  seconds === null ? NOTHING : formatDurationParts(seconds);

const two = (value: number): string => String(value).padStart(2, '0');

/** Formats seconds: `65` as `1:05`. */
export function formatDurationParts(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const last = two(whole % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${last}` : `${minutes}:${last}`;
}

const UNITS = ['kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Returns a size in bytes as `48 kB` or `1.2 MB`. */
export function formatSize(bytes: number, language: string): string {
  const thousands = Math.floor(Math.log10(Math.max(bytes, 1_000)) / 3);
  const exponent = Math.min(thousands, UNITS.length);
  const value = bytes / 1_000 ** exponent;
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: UNITS[exponent - 1],
    maximumFractionDigits: value < 10 || exponent > 1 ? 1 : 0,
  }).format(value);
}
