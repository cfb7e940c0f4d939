import type { NotificationId, UserId } from '../../common/ids';
import { placeholders } from '../../database/dialect';
import { joined } from '../../database/shared/joined';
import { ROOT_LEVEL } from '../rules/count-tree';
import type { NotificationEntity } from '../entities/notification.entity';
import { type Root, unreadIn } from './inbox-snapshot';

/** The epoch of a type of which there is nothing yet. */
export const FIRST_EPOCH = 1;

/** What an inbox has unread, as every event about it says. */
export interface Unread {
  unread_count: number;
  by_type: Record<string, number>;
}

type UnreadRoot = Pick<Root, 'type' | 'unread' | 'epoch'>;

type Row = Pick<LockedInbox, 'user_id' | 'last_seq' | 'broadcast_id' | 'newest_broadcast'> & {
  [Name in keyof UnreadRoot]: UnreadRoot[Name] | null;
};

/** The state of an inbox that is locked by the running transaction, kept up with what that transaction writes. */
export class LockedInbox {
  readonly user_id: number;
  last_seq: number;
  readonly broadcast_id: number;
  /** One for all that were locked together; null: there has been no broadcast at all. */
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

  /** The epoch that holds for a type: what was last unread in it is unread. */
  epochOf(type: string): number {
    return this.#roots.get(type)?.epoch ?? FIRST_EPOCH;
  }

  /** So many more of a type have become unread, or fewer. */
  countUnread(type: string, change: number): void {
    const root = this.#roots.get(type) ?? { type, unread: 0, epoch: FIRST_EPOCH };
    root.unread += change;
    this.#roots.set(type, root);
  }

  /** A new epoch begins for one type, or for every type, of which anything is unread; answers how many were. */
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

/** A notification that an act is about. */
export type Target = Pick<NotificationEntity, 'id' | 'type' | 'seq' | 'unread_epoch'>;

/** The inboxes of some users, whom the running transaction has locked; lower ids first. */
export const readLocked = joined('inboxes: read', async (em, lists: readonly number[][]) => {
  const ids = [...new Set(lists.flat())];
  const rows = await em.query<Row[]>(
    `SELECT ${INBOX_COLUMNS} FROM ${INBOX_TABLES} WHERE i.user_id IN (${placeholders(ids)}) ORDER BY c.type`,
    ids,
  );
  const byUser = Map.groupBy(rows, ({ user_id }) => user_id);
  return lists.map((list) => {
    const inOrder = [...new Set(list)].toSorted((a, b) => a - b);
    return inOrder.flatMap((id) => {
      const own = byUser.get(id);
      return own === undefined ? [] : [inboxOf(own)];
    });
  });
});

interface Place {
  userId: UserId;
  notificationId: NotificationId;
}

type RowWith = Row & Pick<Target, 'id' | 'seq' | 'unread_epoch'> & { own_type: string };

/** A user's locked inbox together with one of its notifications; undefined when there is none of this id. */
export const readLockedWith = joined('inboxes: read with one', async (em, places: readonly Place[]) => {
  const ids = places.map(({ notificationId }) => notificationId);
  const users = places.map(({ userId }) => userId);
  const rows = await em.query<RowWith[]>(
    `SELECT ${INBOX_COLUMNS}, n.id, n.type AS own_type, n.seq, n.unread_epoch FROM ${INBOX_TABLES}
     JOIN notifications n ON n.id IN (${placeholders(ids)}) AND n.user_id = i.user_id
     WHERE i.user_id IN (${placeholders(users)}) ORDER BY c.type`,
    [...ids, ...users],
  );
  return places.map(({ userId, notificationId }) => {
    const own = rows.filter(({ id, user_id }) => id === notificationId && user_id === userId);
    const [first] = own;
    if (first === undefined) return undefined;
    const { id, own_type: type, seq, unread_epoch } = first;
    return { inbox: inboxOf(own), target: { id, type, seq, unread_epoch } };
  });
});

const INBOX_COLUMNS = `i.user_id, i.last_seq, i.broadcast_id,
  (SELECT MAX(broadcast_seq) FROM announcements) AS newest_broadcast, c.type, c.unread, c.epoch`;
const INBOX_TABLES = `notification_inboxes i
  LEFT JOIN notification_counts c ON c.user_id = i.user_id AND c.level = ${ROOT_LEVEL} AND c.block = 0`;

function inboxOf(rows: Row[]): LockedInbox {
  return new LockedInbox(
    rows[0] as Row,
    rows.filter((row): row is Row & UnreadRoot => row.type !== null),
  );
}
