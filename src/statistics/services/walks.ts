import type { EntityManager } from 'typeorm';
import type { CalendarDays } from '../rules/calendar-days';
import { type Figure, MESSAGES, NEW_USERS } from '../rules/metrics';
import { messageFigures, userFigures } from '../rules/walked';
import { lastMessageId, messagesAlong, type Page, type Stretch, usersAlong } from '../store/walked-rows';

/** Something that is counted by walking along it once, a minute behind. */
export interface Walk {
  /** Also the name of the row that holds the position. */
  name: string;
  /** The position up to which there is something now, or may be soon. */
  head: (em: EntityManager, now: Date) => Promise<number>;
  page: (em: EntityManager, stretch: Stretch, most: number) => Promise<Page>;
  figures: (made: Page['made'], days: CalendarDays) => Figure[];
}

export const MESSAGE_WALK: Walk = {
  name: MESSAGES,
  head: (em) => lastMessageId(em),
  page: messagesAlong,
  figures: messageFigures,
};

/** Along the moments of their creation, in milliseconds since 1970. */
export const USER_WALK: Walk = {
  name: NEW_USERS,
  head: (_, now) => Promise.resolve(now.getTime()),
  page: usersAlong,
  figures: userFigures,
};

/** The row whose claim says which instance walks. */
export const LEASE = 'walker';

export const WALKS: readonly Walk[] = [MESSAGE_WALK, USER_WALK];
