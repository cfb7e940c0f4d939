import type { Bar } from '../../overview/charts/chart-data';

/** Number of days that a user's activity shows. */
export const LAST_DAYS = 30;
const DAY_MS = 86_400_000;

/**
 * Returns one bar per day, oldest first, ending with today: answered and other calls.
 *
 * @param today as `2026-01-31`
 */
export function callsByDay(calls: readonly { day: string; isAnswered: boolean }[], today: string): Bar[] {
  const end = Date.parse(`${today}T00:00:00Z`);
  return Array.from({ length: LAST_DAYS }, (_, index) => {
    const day = new Date(end - (LAST_DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10);
    const ofDay = calls.filter((call) => call.day === day);
    const answered = ofDay.filter(({ isAnswered }) => isAnswered).length;
    return { from: day, to: day, values: [answered, ofDay.length - answered] };
  });
}
