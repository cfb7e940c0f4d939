const DAY_MS = 86_400_000;
const WEEK = 7;

/** Returns the day `count` days before a day. Both are calendar days (`YYYY-MM-DD`) without a time zone. */
export const daysBefore = (day: string, count: number): string =>
  new Date(Date.parse(day) - count * DAY_MS).toISOString().slice(0, 10);

/** Groups days by seven, so that the last group is a full week. */
export function byWeek<Day>(days: readonly Day[]): Day[][] {
  const first = days.length % WEEK;
  const weeks = first === 0 ? [] : [days.slice(0, first)];
  for (let start = first; start < days.length; start += WEEK) weeks.push(days.slice(start, start + WEEK));
  return weeks;
}
