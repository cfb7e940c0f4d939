import type { EntityManager } from 'typeorm';
import type { NotificationId, UserId } from '../../common/ids';
import { placeholders } from '../../database/sql/dialect';
import { ROOT_LEVEL } from '../rules/count-tree.rules';
import type { NotificationEntity } from '../entities/notification.entity';
import { type Root, unreadIn } from './inbox-snapshot.store';

/** The epoch of a type without notifications. */
export const FIRST_EPOCH = 1;

/** The unread counts of an inbox, as every event about it contains them. */
export interface Unread {
  unread_count: number;
  by_type: Record<string, number>;
}

type UnreadRoot = Pick<Root, 'type' | 'unread' | 'epoch'>;

type Row = Pick<LockedInbox, 'user_id' | 'last_seq' | 'broadcast_id' | 'newest_broadcast'> & {
  [Name in keyof UnreadRoot]: UnreadRoot[Name] | null;
};

/** The state of an inbox that the running transaction has locked, updated with what the transaction writes. */
export class LockedInbox {
  readonly user_id: number;
  last_seq: number;
  readonly broadcast_id: number;
  /** The newest `broadcast_seq`, the same for all inboxes that are locked together; null: there is no broadcast. */
  readonly newest_broadcast: number | null;
  readonly #roots = new Map<string, UnreadRoot>();

  constructor({ user_id, last_seq, broadcast_id, newest_broadcast }: Row, roots: UnreadRoot[]) {
    this.user_id = user_id;
    this.last_seq = last_seq;
    this.broadcast_id = broadcast_id;
    this.newest_broadcast = newest_broadcast;
    for (const root of roots) this.#roots.set(root.type, root);
  }

  get unread(): Unread {
    const { count, by_type } = unreadIn(this.#roots.values());
    return { unread_count: count, by_type };
  }

  /** Returns the current epoch of a type. A notification is unread if its `unread_epoch` equals it. */
  epochOf(type: string): number {
    return this.#roots.get(type)?.epoch ?? FIRST_EPOCH;
  }

  /** Adds `change` to the unread count of a type. */
  countUnread(type: string, change: number): void {
    const root = this.#roots.get(type) ?? { type, unread: 0, epoch: FIRST_EPOCH };
    root.unread += change;
    this.#roots.set(type, root);
  }

  /**
   * Starts a new epoch for one type, or for every type, if it has unread notifications.
   * @returns the number of those
   */
  beginEpoch(type?: string): number {
    let unread = 0;
    for (const root of this.#roots.values()) {
      if (root.unread <= 0 || (type !== undefined && root.type !== type)) continue;
      unread += root.unread;
      root.epoch += 1;
      root.unread = 0;
    }
    return unread;
  }
}

/** The notification that an action concerns. */
export type Target = Pick<NotificationEntity, 'id' | 'type' | 'seq' | 'unread_epoch'>;

/** Returns the inboxes of users, which the running transaction has locked; lower user ids first. */
export async function readLocked(em: EntityManager, userIds: readonly number[]): Promise<LockedInbox[]> {
  const ids = [...new Set(userIds)].toSorted((a, b) => a - b);
  const rows = await em.query<Row[]>(
    `SELECT ${INBOX_COLUMNS} FROM ${INBOX_TABLES} WHERE i.user_id IN (${placeholders(ids)}) ORDER BY c.type`,
    ids,
  );
  const byUser = Map.groupBy(rows, ({ user_id }) => user_id);
  return ids.flatMap((id) => {
    const userRows = byUser.get(id);
    return userRows === undefined ? [] : [toInbox(userRows)];
  });
}

export interface TargetKey {
  userId: UserId;
  notificationId: NotificationId;
}

type RowWith = Row & Pick<Target, 'id' | 'seq' | 'unread_epoch'> & { own_type: string };

/**
 * Returns each user's locked inbox with one of its notifications; undefined if the user has no notification with this
 * id.
 */
export async function readLockedWith(
  em: EntityManager,
  keys: readonly TargetKey[],
): Promise<({ inbox: LockedInbox; target: Target } | undefined)[]> {
  const ids = keys.map(({ notificationId }) => notificationId);
  const users = keys.map(({ userId }) => userId);
  const rows = await em.query<RowWith[]>(
    `SELECT ${INBOX_COLUMNS}, n.id, n.type AS own_type, n.seq, n.unread_epoch FROM ${INBOX_TABLES}
     JOIN notifications n ON n.id IN (${placeholders(ids)}) AND n.user_id = i.user_id
     WHERE i.user_id IN (${placeholders(users)}) ORDER BY c.type`,
    [...ids, ...users],
  );
  return keys.map(({ userId, notificationId }) => {
    const matching = rows.filter(({ id, user_id }) => id === notificationId && user_id === userId);
    const [first] = matching;
    if (first === undefined) return undefined;
    const { id, own_type: type, seq, unread_epoch } = first;
    return { inbox: toInbox(matching), target: { id, type, seq, unread_epoch } };
  });
}

const INBOX_COLUMNS = `i.user_id, i.last_seq, i.broadcast_id,
  (SELECT MAX(broadcast_seq) FROM announcements) AS newest_broadcast, c.type, c.unread, c.epoch`;
const INBOX_TABLES = `notification_inboxes i
  LEFT JOIN notification_counts c ON c.user_id = i.user_id AND c.level = ${ROOT_LEVEL} AND c.block = 0`;

function toInbox(rows: Row[]): LockedInbox {
  return new LockedInbox(
    rows[0] as Row,
    rows.filter((row): row is Row & UnreadRoot => row.type !== null),
  );
}
