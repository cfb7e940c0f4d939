import type { EntityManager } from 'typeorm';
import type { CalendarDays } from '../rules/calendar-days.rules';
import { ALL_DAYS, type Figure, MESSAGES, NEW_USERS, USERS } from '../rules/metrics.rules';
import {
  lastMessageId,
  messagesInRange,
  type RollupPage,
  type IdRange,
  usersInRange,
} from '../store/rollup.store';

/** A source of rows that the rollup counts once, in the order of their positions, a minute after their creation. */
export interface RollupSource {
  /** Also the name of the checkpoint row. */
  name: string;
  /** Returns the high watermark: no committed row has a higher position. Rows with lower ones may be uncommitted. */
  highWatermark: (em: EntityManager, now: Date) => Promise<number>;
  page: (em: EntityManager, range: IdRange, limit: number) => Promise<RollupPage>;
  /** Returns the metrics that the rows of a page add to. */
  figures: (made: RollupPage['made'], days: CalendarDays) => Figure[];
}

export const MESSAGE_ROLLUP: RollupSource = {
  name: MESSAGES,
  highWatermark: (em) => lastMessageId(em),
  page: messagesInRange,
  figures: (made, days) =>
    made.map(({ at, count }) => ({ metric: MESSAGES, day: days.of(at), value: count })),
};

/** The position of a user is its creation time, in milliseconds since 1970. */
export const USER_ROLLUP: RollupSource = {
  name: NEW_USERS,
  highWatermark: (_, now) => Promise.resolve(now.getTime()),
  page: usersInRange,
  // New users count on the day of their creation, and in the number of all users.
  figures: (made, days) =>
    made.flatMap(({ at, count }) => [
      { metric: NEW_USERS, day: days.of(at), value: count },
      { metric: USERS, day: ALL_DAYS, value: count },
    ]),
};

export const ROLLUP_SOURCES: readonly RollupSource[] = [MESSAGE_ROLLUP, USER_ROLLUP];
