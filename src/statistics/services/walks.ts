import type { EntityManager } from 'typeorm';
import type { CalendarDays } from '../rules/calendar-days';
import { type Figure, MESSAGES, NEW_USERS } from '../rules/metrics';
import { messageFigures, userFigures } from '../rules/walked';
import { lastMessageId, messagesAlong, type Page, type Stretch, usersAlong } from '../store/walked-rows';

/** A source of rows that the rollup counts once, in the order of their positions, a minute after their creation. */
export interface Walk {
  /** Also the name of the checkpoint row. */
  name: string;
  /** Returns the high watermark: no committed row has a higher position. Rows with lower ones may be uncommitted. */
  head: (em: EntityManager, now: Date) => Promise<number>;
  page: (em: EntityManager, range: Stretch, limit: number) => Promise<Page>;
  figures: (made: Page['made'], days: CalendarDays) => Figure[];
}

export const MESSAGE_WALK: Walk = {
  name: MESSAGES,
  head: (em) => lastMessageId(em),
  page: messagesAlong,
  figures: messageFigures,
};

/** The position of a user is its creation time, in milliseconds since 1970. */
export const USER_WALK: Walk = {
  name: NEW_USERS,
  head: (_, now) => Promise.resolve(now.getTime()),
  page: usersAlong,
  figures: userFigures,
};

/** Name of the checkpoint row that holds the lease of the rollup job. */
export const LEASE = 'walker';

export const WALKS: readonly Walk[] = [MESSAGE_WALK, USER_WALK];
