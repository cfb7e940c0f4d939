import type { CalendarDays } from './calendar-days.rules';
import { ALL_DAYS, type Figure, MESSAGES, NEW_USERS, USERS } from './metrics.rules';

/** Number of rows created at a time in milliseconds since 1970. */
interface Created {
  at: number;
  count: number;
}

/** Returns the metrics that messages add to. */
export const messageFigures = (created: readonly Created[], days: CalendarDays): Figure[] =>
  created.map(({ at, count }) => ({ metric: MESSAGES, day: days.of(at), value: count }));

/** Returns the metrics that new users add to: those of the day of their creation, and the number of all users. */
export const userFigures = (created: readonly Created[], days: CalendarDays): Figure[] =>
  created.flatMap(({ at, count }) => [
    { metric: NEW_USERS, day: days.of(at), value: count },
    { metric: USERS, day: ALL_DAYS, value: count },
  ]);
