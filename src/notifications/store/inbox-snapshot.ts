import type { EntityManager } from 'typeorm';
import { placeholders } from '../../database/dialect';
import { cursorColumn } from '../../events/log/cursor';
import { ROOT_LEVEL } from '../rules/count-tree';
import type { UnreadNotificationsResponse } from '../dto/notification.dto';

/** What is counted of one type: the root of its count tree. */
export interface Root {
  type: string;
  total: number;
  unread: number;
  epoch: number;
}

/** An inbox at one moment. */
export interface InboxSnapshot {
  /** false: the inbox has not been opened, or has broadcasts to catch up with. */
  isCurrent: boolean;
  version: number;
  lastSeq: number;
  /** The owner's event cursor. */
  cursor: number;
  /** By type; types of which there is nothing are missing. */
  roots: Map<string, Root>;
}

/** An inbox that nobody has opened yet. */
export const NOT_OPENED: InboxSnapshot = {
  isCurrent: false,
  version: 0,
  lastSeq: 0,
  cursor: 0,
  roots: new Map(),
};

/** What was read without a lock; unless it is current, the inbox must be locked and read again. */
export interface Reading<T> {
  value: T;
  isCurrent: boolean;
}

/** What is unread under some roots. */
export function unreadIn(roots: Iterable<Pick<Root, 'type' | 'unread'>>): UnreadNotificationsResponse {
  const some = [...roots].filter(({ unread }) => unread > 0);
  return {
    count: some.reduce((sum, { unread }) => sum + unread, 0),
    // `fromEntries` makes a type named `__proto__` a property like any other.
    by_type: Object.fromEntries(some.map(({ type, unread }) => [type, unread])),
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

/** One statement: some inboxes, by user; those that are not open are missing. */
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
  return new Map(Array.from(byUser, ([userId, own]) => [userId, toSnapshot(own as [Row, ...Row[]])]));
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
