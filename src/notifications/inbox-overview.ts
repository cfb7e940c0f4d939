import type { EntityManager } from 'typeorm';
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

type OverviewRow = { version: number; is_behind: number } & { [K in keyof Count]: Count[K] | null };

/** What was read without a lock; unless it is current, the inbox must be locked and read again. */
export interface Reading<T> {
  value: T;
  isCurrent: boolean;
}

/** The unread counters of some inboxes, by user; those of nobody are missing. */
export async function readUnreadCounts(
  em: EntityManager,
  userIds: number[],
): Promise<Map<number, Reading<UnreadCount>>> {
  const places = userIds.map(() => '?').join(', ');
  const rows = (await em.query(
    `SELECT i.user_id, i.broadcast_id < COALESCE((SELECT MAX(id) FROM notification_broadcasts), 0) AS is_behind,
       c.type, c.unread
     FROM notification_inboxes i
     LEFT JOIN notification_counts c
       ON c.user_id = i.user_id AND c.level = ${ROOT_LEVEL} AND c.block = 0 AND c.unread > 0
     WHERE i.user_id IN (${places})`,
    userIds,
  )) as { user_id: number; is_behind: number; type: string | null; unread: number }[];
  return new Map(
    Array.from(
      Map.groupBy(rows, ({ user_id }) => user_id),
      ([userId, counts]) => {
        const unread = counts.filter(({ type }) => type !== null);
        // `fromEntries` makes a type named `__proto__` a property like any other.
        const by_type = Object.fromEntries(unread.map(({ type, unread }) => [type, unread]));
        const count = unread.reduce((sum, { unread }) => sum + unread, 0);
        return [userId, { value: { count, by_type }, isCurrent: counts[0]?.is_behind === 0 }];
      },
    ),
  );
}

/** One statement: the roots of an inbox, and the nodes of `lowestLevel` and above. */
export async function readOverview(
  em: EntityManager,
  userId: number,
  lowestLevel: number,
): Promise<Overview> {
  const rows = (await em.query(
    `SELECT i.version, i.broadcast_id < COALESCE((SELECT MAX(id) FROM notification_broadcasts), 0) AS is_behind,
       c.level, c.block, c.type, c.total, c.unread, c.epoch
     FROM notification_inboxes i
     LEFT JOIN notification_counts c ON c.user_id = ? AND c.level >= ?
     WHERE i.user_id = ?
     ORDER BY c.block DESC`,
    [userId, lowestLevel, userId],
  )) as OverviewRow[];
  const counts = rows.filter(({ type }) => type !== null) as (OverviewRow & Count)[];
  return {
    isCurrent: rows[0]?.is_behind === 0,
    version: rows[0]?.version ?? 0,
    roots: new Map(counts.filter(({ level }) => level === ROOT_LEVEL).map((root) => [root.type, root])),
    nodes: counts.filter(({ level }) => level < ROOT_LEVEL),
  };
}
