import type { EntityManager } from 'typeorm';
import type { NotificationId, UserId } from '../../common/ids';
import { forcePrimaryKey, placeholders } from '../../database/sql/dialect';
import { affectedBy } from '../../database/sql/statements';
import { filtersInbox } from '../../preferences/store/preferences.store';
import { blockStartOf, byBlock, InboxBlock, type PositionState } from '../rules/inbox-block.rules';
import { newTypeCounts, type TypeCounts } from '../rules/inbox-map.rules';
import { unreadIn } from './inbox-snapshot.store';
import { type BlockRow, type CountsRow, JOIN_BLOCK, toBlock, toTypeCounts } from './read-state';

/* Locks inboxes, and keeps their state while the running transaction changes them. */

/** The unread counts of an inbox, as every event about it contains them. */
export interface Unread {
  unread_count: number;
  by_type: Record<string, number>;
}

/** The notification that an action concerns. */
export interface Target {
  id: number;
  type: string;
  seq: number;
}

/** A change of one position of an inbox. */
export interface PositionChange {
  seq: number;
  type: string;
  /**
   * `archived` and `restored` keep the read state. `returned`: no longer archived, and unread. `unread` and `read` keep
   * the notification where it is.
   */
  to: 'unread' | 'read' | 'deleted' | 'archived' | 'restored' | 'returned';
}

/** The columns of a locked inbox. */
type LockedInboxColumns = Pick<
  LockedInbox,
  'user_id' | 'version' | 'last_seq' | 'broadcast_id' | 'newest_broadcast'
> & { filters_types: number };

/** The state of an inbox that the running transaction has locked, updated with what the transaction writes. */
export class LockedInbox {
  readonly user_id: number;
  /** Assigned by the lock, so that no other transaction writes with the same one. */
  readonly version: number;
  last_seq: number;
  readonly broadcast_id: number;
  /** The newest `broadcast_seq`, the same for all inboxes that are locked together; null: there is no broadcast. */
  readonly newest_broadcast: number | null;
  /** Whether the owner keeps any type of notifications out of the inbox. */
  readonly filtersTypes: boolean;
  readonly #types = new Map<string, TypeCounts>();
  readonly #blocks = new Map<number, InboxBlock>();

  constructor(inbox: LockedInboxColumns, types: readonly TypeCounts[]) {
    this.user_id = inbox.user_id;
    this.version = inbox.version;
    this.last_seq = inbox.last_seq;
    this.broadcast_id = inbox.broadcast_id;
    this.newest_broadcast = inbox.newest_broadcast;
    this.filtersTypes = Boolean(inbox.filters_types);
    for (const counts of types) this.#types.set(counts.type, counts);
  }

  /** Whether there are broadcasts that the inbox has not materialised. */
  get isBehind(): boolean {
    return this.broadcast_id < (this.newest_broadcast ?? 0);
  }

  get types(): ReadonlyMap<string, Readonly<TypeCounts>> {
    return this.#types;
  }

  get unread(): Unread {
    const { count, by_type } = unreadIn(this.#types.values());
    return { unread_count: count, by_type };
  }

  /** Whether the block of a position has been read from the database in this transaction. */
  hasBlockOf(seq: number): boolean {
    return this.#blocks.has(blockStartOf(seq));
  }

  /** Stores a block that was read from the database. */
  addBlock(block: InboxBlock): void {
    this.#blocks.set(block.start, block);
  }

  /** Whether a notification is unread. Its block must have been read. */
  isUnread({ type, seq }: Pick<Target, 'type' | 'seq'>): boolean {
    const counts = this.#types.get(type);
    return counts !== undefined && this.#blockOf(seq).isUnreadAt(seq, counts.epoch);
  }

  /** Whether a notification is archived. Its block must have been read. */
  isArchived({ seq }: Pick<Target, 'seq'>): boolean {
    return this.#blockOf(seq).isArchivedAt(seq);
  }

  /**
   * Changes positions whose blocks have been read, and the counts of their types.
   * @returns the changed blocks and types, which the transaction must store
   */
  change(changes: readonly PositionChange[]): { blocks: InboxBlock[]; types: TypeCounts[] } {
    const changedTypes = new Set<TypeCounts>();
    const blocks = Array.from(byBlock(changes), ([start, ofBlock]) => {
      const states = ofBlock.map((change) => {
        const { counts, state } = this.#count(change);
        changedTypes.add(counts);
        return state;
      });
      const epochs = new Map(Array.from(this.#types.values(), ({ code, epoch }) => [code, epoch]));
      const block = this.#blockOf(start).change(states, this.version, epochs);
      this.#blocks.set(start, block);
      return block;
    });
    for (const { type, total } of changedTypes) if (total === 0) this.#types.delete(type);
    return { blocks, types: [...changedTypes] };
  }

  /**
   * Marks all unread notifications of one type, or of every type, read: raises the epoch to the version of the inbox,
   * which makes the unread bits of all blocks void, those of archived notifications included.
   * @returns the number of those notifications, and the changed types, which the transaction must store
   */
  markAllRead(type?: string): { affected: number; types: TypeCounts[] } {
    let affected = 0;
    const types: TypeCounts[] = [];
    for (const counts of this.#types.values()) {
      const unread = counts.unread + counts.archived_unread;
      if (unread <= 0 || (type !== undefined && counts.type !== type)) continue;
      affected += unread;
      counts.epoch = this.version;
      counts.unread = 0;
      counts.archived_unread = 0;
      types.push(counts);
    }
    return { affected, types };
  }

  /** Counts a change, and converts it to the new state of its position. Each position changes once at a time. */
  #count({ seq, type, to }: PositionChange): { counts: TypeCounts; state: PositionState } {
    const counts = this.#types.get(type) ?? this.#addType(type);
    const wasThere = this.#blockOf(seq).codeAt(seq) !== 0;
    const wasUnread = wasThere && this.isUnread({ type, seq });
    const wasArchived = this.isArchived({ seq });
    if (wasThere) countState(counts, { isUnread: wasUnread, isArchived: wasArchived }, -1);
    const state = {
      seq,
      code: to === 'deleted' ? 0 : counts.code,
      isUnread:
        to === 'unread' || to === 'returned' || (wasUnread && (to === 'archived' || to === 'restored')),
      isArchived: to === 'archived' || (wasArchived && (to === 'unread' || to === 'read')),
    };
    if (to !== 'deleted') countState(counts, state, 1);
    return { counts, state };
  }

  #addType(type: string): TypeCounts {
    const counts = newTypeCounts(type, this.#types.values());
    this.#types.set(type, counts);
    return counts;
  }

  #blockOf(seq: number): InboxBlock {
    const start = blockStartOf(seq);
    return this.#blocks.get(start) ?? InboxBlock.empty(start);
  }
}

/** A notification in a locked inbox. */
export interface LockedNotification extends Target {
  inbox: LockedInbox;
}

/** Adds a notification to the counts of its type, or subtracts it. */
export function countState(
  counts: TypeCounts,
  { isUnread, isArchived }: { isUnread: boolean; isArchived: boolean },
  by: 1 | -1,
): void {
  counts.total += by;
  if (isArchived) counts.archived += by;
  if (!isUnread) return;
  if (isArchived) counts.archived_unread += by;
  else counts.unread += by;
}

/**
 * Locks the inboxes of users until the commit by incrementing their versions.
 * @returns the number of existing inboxes
 */
export async function lockInboxes(em: EntityManager, userIds: number[]): Promise<number> {
  const among = placeholders(userIds);
  return affectedBy(
    em,
    `UPDATE notification_inboxes ${forcePrimaryKey(em)} SET version = version + 1 WHERE user_id IN (${among})`,
    userIds,
  );
}

type Row = LockedInboxColumns & CountsRow;

const INBOX_COLUMNS = `i.user_id, i.version, i.last_seq, i.broadcast_id,
  (SELECT MAX(broadcast_seq) FROM announcements) AS newest_broadcast, ${filtersInbox('i.user_id')} AS filters_types,
  c.type, c.code, c.total, c.unread, c.archived, c.archived_unread, c.epoch`;
const INBOX_TABLES = `notification_inboxes i LEFT JOIN notification_types c ON c.user_id = i.user_id`;

/** Returns the inboxes of users, which the running transaction has locked; lower user ids first. */
export async function readLocked(em: EntityManager, userIds: readonly number[]): Promise<LockedInbox[]> {
  const ids = [...new Set(userIds)].toSorted((a, b) => a - b);
  const rows = await em.query<Row[]>(
    `SELECT ${INBOX_COLUMNS} FROM ${INBOX_TABLES} WHERE i.user_id IN (${placeholders(ids)})`,
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

/** A notification with its block; a `start` of null: there is no block. */
type TargetRow = Target & { user_id: number } & (BlockRow | { start: null });

/**
 * Returns each user's locked inbox with one of its notifications and the block of it; undefined if the user has no
 * notification with this id. One statement.
 */
export async function readLockedWith(
  em: EntityManager,
  keys: readonly TargetKey[],
): Promise<(LockedNotification | undefined)[]> {
  const ids = keys.map(({ notificationId }) => notificationId);
  const users = keys.map(({ userId }) => userId);
  const rows = await em.query<(TargetRow | (Row & { id: null }))[]>(
    `SELECT ${INBOX_COLUMNS}, NULL AS id, NULL AS seq, NULL AS start, NULL AS width, NULL AS types, NULL AS bits,
       NULL AS archived_bits
     FROM ${INBOX_TABLES} WHERE i.user_id IN (${placeholders(users)})
     UNION ALL
     SELECT n.user_id, b.version, NULL, NULL, NULL, NULL, n.type, NULL, NULL, NULL, NULL, NULL, NULL,
       n.id, n.seq, b.start, b.width, b.types, b.unread, b.archived
     FROM notifications n
     ${JOIN_BLOCK}
     WHERE n.id IN (${placeholders(ids)})`,
    [...users, ...ids],
  );
  return keys.map(({ userId, notificationId }) => {
    const ofUser = rows.filter(({ user_id }) => user_id === userId);
    const target = ofUser.find((row): row is TargetRow => row.id === notificationId);
    if (target === undefined) return undefined;
    const inbox = toInbox(ofUser.filter((row) => row.id === null));
    inbox.addBlock(target.start === null ? InboxBlock.empty(blockStartOf(target.seq)) : toBlock(target));
    const { id, type, seq } = target;
    return { inbox, id, type, seq };
  });
}

const toInbox = (rows: Row[]): LockedInbox => new LockedInbox(rows[0] as Row, toTypeCounts(rows));
