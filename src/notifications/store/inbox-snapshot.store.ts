import type { EntityManager } from 'typeorm';
import { placeholders } from '../../database/sql/dialect';
import { cursorColumn } from '../../events/log/cursor';
import { ROOT_LEVEL } from '../rules/count-tree.rules';
import type { UnreadNotificationsResponse } from '../dto/notification.dto';

/** The counts of one type: the root of its count tree. */
export interface Root {
  type: string;
  total: number;
  unread: number;
  epoch: number;
}

/** The state of an inbox at one point in time. */
export interface InboxSnapshot {
  /** false: the inbox has not been opened, or lacks broadcasts. */
  isCurrent: boolean;
  version: number;
  lastSeq: number;
  /** The owner's event cursor. */
  cursor: number;
  /** By type; types without notifications are absent. */
  roots: Map<string, Root>;
}

/** The snapshot of an inbox that has not been opened. */
export const NOT_OPENED: InboxSnapshot = {
  isCurrent: false,
  version: 0,
  lastSeq: 0,
  cursor: 0,
  roots: new Map(),
};

/** The result of a read without a lock. If it is not current, the inbox must be locked and read again. */
export interface SnapshotReading<T> {
  value: T;
  isCurrent: boolean;
}

/** Sums the unread counts of roots. */
export function unreadIn(roots: Iterable<Pick<Root, 'type' | 'unread'>>): UnreadNotificationsResponse {
  const unreadRoots = [...roots].filter(({ unread }) => unread > 0);
  return {
    count: unreadRoots.reduce((sum, { unread }) => sum + unread, 0),
    // `fromEntries` makes a type named `__proto__` a property like any other.
    by_type: Object.fromEntries(unreadRoots.map(({ type, unread }) => [type, unread])),
  };
}

interface InboxRow {
  user_id: number;
  version: number;
  last_seq: number;
  event_cursor: number;
  is_behind: number;
}
type Row = InboxRow & (Root | { type: null });

/** Reads inboxes with one statement. @returns snapshots by user id; inboxes that have not been opened are absent */
export async function readSnapshots(
  em: EntityManager,
  userIds: number[],
): Promise<Map<number, InboxSnapshot>> {
  const rows = await em.query<Row[]>(
    `SELECT i.user_id, i.version, i.last_seq, ${cursorColumn('i.user_id')},
       i.broadcast_id < COALESCE((SELECT MAX(broadcast_seq) FROM announcements), 0) AS is_behind,
       c.type, c.total, c.unread, c.epoch
     FROM notification_inboxes i
     LEFT JOIN notification_counts c ON c.user_id = i.user_id AND c.level = ${ROOT_LEVEL} AND c.block = 0
     WHERE i.user_id IN (${placeholders(userIds)})`,
    userIds,
  );
  const byUser = Map.groupBy(rows, ({ user_id }) => user_id);
  return new Map(
    Array.from(byUser, ([userId, userRows]) => [userId, toSnapshot(userRows as [Row, ...Row[]])]),
  );
}

function toSnapshot(rows: [Row, ...Row[]]): InboxSnapshot {
  const [{ is_behind, version, last_seq, event_cursor }] = rows;
  const roots = rows.filter((row): row is InboxRow & Root => row.type !== null);
  return {
    isCurrent: is_behind === 0,
    version,
    lastSeq: last_seq,
    cursor: event_cursor,
    roots: new Map(roots.map((root) => [root.type, root])),
  };
}
