import type { CalendarDays } from './calendar-days';
import { ALL_DAYS, type Figure, MESSAGES, NEW_USERS, USERS } from './metrics';

/** What was made at a moment, and how much of it. */
interface Made {
  at: number;
  count: number;
}

/** What messages add to their days. */
export const messageFigures = (made: readonly Made[], days: CalendarDays): Figure[] =>
  made.map(({ at, count }) => ({ metric: MESSAGES, day: days.of(at), value: count }));

/** What users add to the days on which they were made, and to the number of all. */
export const userFigures = (made: readonly Made[], days: CalendarDays): Figure[] =>
  made.flatMap(({ at, count }) => [
    { metric: NEW_USERS, day: days.of(at), value: count },
    { metric: USERS, day: ALL_DAYS, value: count },
  ]);
