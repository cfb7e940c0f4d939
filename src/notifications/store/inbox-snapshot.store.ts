import type { EntityManager } from 'typeorm';
import { placeholders } from '../../database/sql/dialect';
import { cursorColumn } from '../../events/log/cursor';
import type { TypeCounts } from '../rules/inbox-map.rules';
import type { UnreadNotificationsResponse } from '../dto/notification.dto';

/** The unread count of one type. */
export type UnreadOfType = Pick<TypeCounts, 'type' | 'unread'>;

/** The unread counts of one type, also of its archived notifications. */
export type SnapshotType = Pick<TypeCounts, 'type' | 'unread' | 'archived_unread'>;

/** The unread counts of an inbox at one point in time. */
export interface InboxSnapshot {
  /** false: the inbox has not been opened, or lacks broadcasts. */
  isCurrent: boolean;
  /** The owner's event cursor. */
  cursor: number;
  /** Types without notifications are absent. */
  types: SnapshotType[];
}

/** The snapshot of an inbox that has not been opened. */
export const NOT_OPENED: InboxSnapshot = {
  isCurrent: false,
  cursor: 0,
  types: [],
};

/** The result of a read without a lock. If it is not current, the inbox must be locked and read again. */
export interface SnapshotReading<T> {
  value: T;
  isCurrent: boolean;
}

/** Sums the unread counts of types. */
export function unreadIn(types: Iterable<UnreadOfType>): UnreadNotificationsResponse {
  const unreadTypes = [...types].filter(({ unread }) => unread > 0);
  return {
    count: unreadTypes.reduce((sum, { unread }) => sum + unread, 0),
    // `fromEntries` makes a type named `__proto__` a property like any other.
    by_type: Object.fromEntries(unreadTypes.map(({ type, unread }) => [type, unread])),
  };
}

interface InboxRow {
  user_id: number;
  event_cursor: number;
  is_behind: number;
}
type Row = InboxRow & (SnapshotType | { type: null });

/** Reads inboxes with one statement. @returns snapshots by user id; inboxes that have not been opened are absent */
export async function readSnapshots(
  em: EntityManager,
  userIds: number[],
): Promise<Map<number, InboxSnapshot>> {
  const rows = await em.query<Row[]>(
    `SELECT i.user_id, ${cursorColumn('i.user_id')},
       i.broadcast_id < COALESCE((SELECT MAX(broadcast_seq) FROM announcements), 0) AS is_behind,
       c.type, c.unread, c.archived_unread
     FROM notification_inboxes i
     LEFT JOIN notification_types c ON c.user_id = i.user_id
     WHERE i.user_id IN (${placeholders(userIds)})`,
    userIds,
  );
  const byUser = Map.groupBy(rows, ({ user_id }) => user_id);
  return new Map(
    Array.from(byUser, ([userId, userRows]) => [userId, toSnapshot(userRows as [Row, ...Row[]])]),
  );
}

function toSnapshot(rows: [Row, ...Row[]]): InboxSnapshot {
  const [{ is_behind, event_cursor }] = rows;
  const types = rows.filter((row): row is InboxRow & SnapshotType => row.type !== null);
  return { isCurrent: is_behind === 0, cursor: event_cursor, types };
}
