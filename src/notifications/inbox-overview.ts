import type { EntityManager } from 'typeorm';
import { cursorColumn } from '../events/event-cursor';
import { ROOT_LEVEL } from './count-tree';
import type { UnreadCount } from './dto/notification.dto';

/** A node of the count tree as it is stored. */
export interface Count {
  level: number;
  block: number;
  type: string;
  total: number;
  unread: number;
  epoch: number;
}

/** An inbox at one moment: its version and the upper levels of its count tree. */
export interface Overview {
  /** false: the inbox has not been opened, or has broadcasts to catch up with. */
  isCurrent: boolean;
  version: number;
  /** By type; types of which there is nothing are missing. */
  roots: Map<string, Count>;
  /** The other nodes that were asked for, newest block first. */
  nodes: Count[];
}

/** The roots alone, and the event cursor of the inbox's owner at that moment. */
export interface Roots extends Overview {
  cursor: number;
}

/** Of an inbox that nobody has opened yet. */
export const NOT_OPENED: Roots = { isCurrent: false, version: 0, roots: new Map(), nodes: [], cursor: 0 };

type OverviewRow = { version: number; is_behind: number } & {
  [K in keyof Count]: Count[K] | null;
};

/** What was read without a lock; unless it is current, the inbox must be locked and read again. */
export interface Reading<T> {
  value: T;
  isCurrent: boolean;
}

/** What is unread under some roots. */
export function unreadIn(roots: Iterable<Pick<Count, 'type' | 'unread'>>): UnreadCount {
  const some = [...roots].filter(({ unread }) => unread > 0);
  return {
    count: some.reduce((sum, { unread }) => sum + unread, 0),
    // `fromEntries` makes a type named `__proto__` a property like any other.
    by_type: Object.fromEntries(some.map(({ type, unread }) => [type, unread])),
  };
}

const STATE = `i.version, i.broadcast_id < COALESCE((SELECT MAX(id) FROM notification_broadcasts), 0) AS is_behind,
       c.level, c.block, c.type, c.total, c.unread, c.epoch`;

/** One statement: the roots of some inboxes, by user; inboxes that are not open are missing. */
export async function readRoots(em: EntityManager, userIds: number[]): Promise<Map<number, Roots>> {
  const rows = await em.query<(OverviewRow & { user_id: number; event_cursor: number })[]>(
    `SELECT i.user_id, ${cursorColumn('i.user_id')}, ${STATE} FROM notification_inboxes i
     LEFT JOIN notification_counts c ON c.user_id = i.user_id AND c.level = ${ROOT_LEVEL} AND c.block = 0
     WHERE i.user_id IN (${userIds.map(() => '?').join(', ')})`,
    userIds,
  );
  const byUser = Map.groupBy(rows, ({ user_id }) => user_id);
  return new Map(
    Array.from(byUser, ([userId, own]) => [
      userId,
      { ...toOverview(own), cursor: own[0]?.event_cursor ?? 0 },
    ]),
  );
}

/** One statement: the roots of an inbox, and its nodes of `lowestLevel` and above. */
export async function readOverview(
  em: EntityManager,
  userId: number,
  lowestLevel: number,
): Promise<Overview> {
  const rows = await em.query<OverviewRow[]>(
    `SELECT ${STATE} FROM notification_inboxes i
     LEFT JOIN notification_counts c ON c.user_id = ? AND c.level >= ?
     WHERE i.user_id = ?
     ORDER BY c.block DESC`,
    [userId, lowestLevel, userId],
  );
  return toOverview(rows);
}

function toOverview(rows: OverviewRow[]): Overview {
  const [first] = rows;
  if (first === undefined) return NOT_OPENED;
  const counts = rows.filter((row): row is OverviewRow & Count => row.type !== null);
  return {
    isCurrent: first.is_behind === 0,
    version: first.version,
    roots: new Map(counts.filter(({ level }) => level === ROOT_LEVEL).map((root) => [root.type, root])),
    nodes: counts.filter(({ level }) => level < ROOT_LEVEL),
  };
}
