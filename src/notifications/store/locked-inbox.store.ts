import type { EntityManager } from 'typeorm';
import type { NotificationId, UserId } from '../../common/ids';
import { placeholders } from '../../database/sql/dialect';
import { filtersInbox } from '../../preferences/store/preferences.store';
import { blockStartOf, InboxBlock } from '../rules/inbox-block.rules';
import type { TypeCounts } from '../rules/inbox-map.rules';
import { LockedInbox, type LockedInboxColumns, type Target } from './locked-inbox';
import { JOIN_BLOCK } from './read-state';

type Row = LockedInboxColumns & { [Name in keyof TypeCounts]: TypeCounts[Name] | null };

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

/** A notification with its block (`version` to `bits`); a `start` of null: there is no block. */
interface TargetRow {
  user_id: number;
  id: number;
  type: string;
  seq: number;
  version: number;
  start: number | null;
  width: number;
  types: Uint8Array;
  bits: Uint8Array;
  archived_bits: Uint8Array | null;
}

/**
 * Returns each user's locked inbox with one of its notifications and the block of it; undefined if the user has no
 * notification with this id. One statement.
 */
export async function readLockedWith(
  em: EntityManager,
  keys: readonly TargetKey[],
): Promise<({ inbox: LockedInbox; target: Target } | undefined)[]> {
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
    inbox.addBlock(toBlock(target));
    const { id, type, seq } = target;
    return { inbox, target: { id, type, seq } };
  });
}

function toInbox(rows: Row[]): LockedInbox {
  const types = rows.flatMap((row): TypeCounts[] => {
    if (row.type === null) return [];
    const { type, code, total, unread, archived, archived_unread, epoch } = row as Row & TypeCounts;
    return [{ type, code, total, unread, archived, archived_unread, epoch }];
  });
  return new LockedInbox(rows[0] as Row, types);
}

function toBlock({
  seq,
  start,
  version,
  width,
  types,
  bits: unread,
  archived_bits: archived,
}: TargetRow): InboxBlock {
  return start === null
    ? InboxBlock.empty(blockStartOf(seq))
    : InboxBlock.parse({ start, version, width, types, unread, archived });
}
