/**
 * A time of day in a time zone as a moment: `2026-01-31T16:00` in Asia/Shanghai is `2026-01-31T08:00:00.000Z`.
 *
 * @param timeZone as IANA names it; the browser's own where it is not known
 * @returns what is no time as it is, for the service to refuse
 */
export function momentIn(timeZone: string | undefined, local: string): string {
  const wanted = Date.parse(`${local}Z`);
  if (Number.isNaN(wanted)) return local;
  // Twice: the zone's offset may change between the two.
  const guess = wanted - offsetAt(wanted, timeZone);
  return new Date(wanted - offsetAt(guess, timeZone)).toISOString();
}

const DAY_MS = 86_400_000;

/**
 * The end of a day (`2026-01-31`) in a time zone, as a moment: the first one of the next day.
 *
 * @returns ISO 8601 in UTC; what is no day as it is, for the service to refuse
 */
export function endOfDay(timeZone: string | undefined, day: string): string {
  const midnight = Date.parse(`${day}T00:00:00.000Z`) + DAY_MS;
  if (Number.isNaN(midnight)) return day;
  return momentIn(timeZone, new Date(midnight).toISOString().slice(0, -1));
}

/** The last day in a time zone on which a moment has not come yet. */
export function lastDayBefore(timeZone: string | undefined, moment: string): string {
  const before = new Date(Date.parse(moment) - 1);
  return new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone }).format(before);
}

/** How far a zone's clocks are ahead of UTC, in milliseconds. */
function offsetAt(moment: number, timeZone: string | undefined): number {
  const shown = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone });
  const whole = Math.floor(moment / 1_000) * 1_000;
  return Date.parse(`${shown.format(whole).replace(' ', 'T')}Z`) - whole;
}
