import type { EntityManager } from 'typeorm';
import { placeholders, type RawTimestamp, type SqlPart, unionOfSome } from '../../database/sql/dialect';
import type { NotificationRow } from '../dto/notification.dto';
import { InboxBlock } from '../rules/inbox-block.rules';
import type { ListedPosition, ListFilter, TypeCounts, Window } from '../rules/inbox-map.rules';
import { isUnread, JOIN_BLOCK, type ReadState, UNREAD_BYTE } from './read-state';

/** A notification of an inbox. */
export interface ListedRow extends NotificationRow {
  seq: number;
  /** Null unless archived notifications were requested. */
  snooze_until: RawTimestamp | null;
  /** False for rows of `rowsAt`: the caller's map contains it. */
  isUnread: boolean;
}

/** The parts of an inbox that one statement has read, as of one point in time. */
export interface InboxReading {
  /** false: the inbox has not been opened, or lacks broadcasts. */
  isCurrent: boolean;
  version: number;
  types: Map<string, TypeCounts>;
  /** The blocks that were written after the version that the caller has. */
  blocks: InboxBlock[];
  /** Newest first. */
  rows: ListedRow[];
}

/** The columns of the statement's parts. */
type InboxRow = TypeCounts & { is_behind: number; version: number; id: null; start: null };
type EmptyInboxRow = InboxRow & { type: null };
interface BlockRow {
  id: null;
  start: number;
  version: number;
  width: number;
  types: Uint8Array;
  bits: Uint8Array;
  archived_bits: Uint8Array | null;
}
/** `version` and `unread_byte` are null unless they were requested. */
type ListRow = NotificationRow & ReadState & Pick<ListedRow, 'snooze_until'>;
type Row = InboxRow | EmptyInboxRow | BlockRow | ListRow;

/**
 * Reads an inbox with one statement, which sees all parts at one point in time.
 * @param parts of `writtenBlocks`, `newestRows` and `rowsAt`
 */
export async function readInbox(
  em: EntityManager,
  userId: number,
  parts: readonly SqlPart[],
): Promise<InboxReading> {
  const all = [inboxPart(userId), ...parts];
  const found = await em.query<Row[]>(
    unionOfSome(
      em,
      all.map(({ sql }) => sql),
    ),
    all.flatMap(({ parameters }) => parameters),
  );
  const inboxRows = found.filter((row): row is InboxRow => row.id === null && row.start === null);
  const types = new Map<string, TypeCounts>();
  for (const { type, code, total, unread, archived, archived_unread, epoch } of inboxRows)
    if (type !== null) types.set(type, { type, code, total, unread, archived, archived_unread, epoch });
  return {
    isCurrent: inboxRows[0]?.is_behind === 0,
    version: inboxRows[0]?.version ?? 0,
    types,
    blocks: found.flatMap((row) => (row.id === null && row.start !== null ? toBlock(row) : [])),
    rows: found
      .filter((row): row is ListRow => row.id !== null)
      .map((row) => ({ ...row, isUnread: isUnread(row, types.get(row.type)?.epoch ?? 0) }))
      .toSorted((a, b) => b.seq - a.seq),
  };
}

const inboxPart = (userId: number): SqlPart => ({
  sql: `SELECT i.version,
      i.broadcast_id < COALESCE((SELECT MAX(broadcast_seq) FROM announcements), 0) AS is_behind,
      c.type, c.code, c.total, c.unread, c.archived, c.archived_unread, c.epoch, NULL AS start, NULL AS width, NULL AS types, NULL AS bits,
      NULL AS archived_bits, NULL AS unread_byte, NULL AS id, NULL AS seq, NULL AS title, NULL AS content, NULL AS created_at, NULL AS data,
      NULL AS announcement_id, NULL AS snooze_until
    FROM notification_inboxes i LEFT JOIN notification_types c ON c.user_id = i.user_id WHERE i.user_id = ?`,
  parameters: [userId],
});

/**
 * The blocks that were written after a version of the inbox; undefined: all blocks. While the inbox has this version, no
 * block is read.
 */
export function writtenBlocks(userId: number, version = -1): SqlPart {
  return {
    sql: `SELECT b.version, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, b.start, b.width, b.types, b.unread, b.archived,
        NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
      FROM notification_inboxes i JOIN notification_blocks b ON b.user_id = i.user_id AND b.version > ?
      WHERE i.user_id = ? AND i.version > ?`,
    parameters: [version, userId, version],
  };
}

const SNOOZES = 'LEFT JOIN notification_snoozes s ON s.notification_id = n.id';
const ROW_COLUMNS = 'n.id, n.seq, n.title, n.content, n.created_at, n.data, n.announcement_id';

/** The rows at positions (at least one) of which the caller knows the state. Archived ones have the end of their snooze. */
export function rowsAt(
  userId: number,
  positions: readonly ListedPosition[],
  { archived }: ListFilter,
): SqlPart {
  const [snooze, join] = archived === 1 ? ['s.due_at', SNOOZES] : ['NULL', ''];
  return {
    sql: `SELECT NULL, NULL, n.type, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
        ${ROW_COLUMNS}, ${snooze}
      FROM notifications n ${join} WHERE n.user_id = ? AND n.seq IN (${placeholders(positions)})`,
    parameters: [userId, ...positions.map(({ seq }) => seq)],
  };
}

/**
 * The rows of a window near the start of a list: an index has the list order, and OFFSET skips the rows before. Contains
 * archived notifications.
 */
export function newestRows(
  userId: number,
  { type }: Pick<ListFilter, 'type'>,
  { skip, take }: Window,
): SqlPart {
  return {
    sql: `SELECT b.version, NULL, n.type, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, ${UNREAD_BYTE},
        ${ROW_COLUMNS}, NULL
      FROM notifications n ${JOIN_BLOCK}
      WHERE n.user_id = ? ${type === undefined ? '' : 'AND n.type = ?'} ORDER BY n.seq DESC LIMIT ? OFFSET ?`,
    parameters: type === undefined ? [userId, take, skip] : [userId, type, take, skip],
  };
}

const toBlock = ({
  start,
  version,
  width,
  types,
  bits: unread,
  archived_bits: archived,
}: BlockRow): InboxBlock => InboxBlock.parse({ start, version, width, types, unread, archived });
