import type { EntityManager } from 'typeorm';
import { placeholders, type RawTimestamp, unionOfSome } from '../../database/sql/dialect';
import type { NotificationRow } from '../dto/notification.dto';
import type { InboxBlock } from '../rules/inbox-block.rules';
import type { ListedPosition, ListFilter, TypeCounts, Window } from '../rules/inbox-map.rules';
import {
  type BlockRow,
  type CountsRow,
  JOIN_BLOCK,
  type ReadState,
  toBlock,
  toTypeCounts,
  UNREAD_BYTE,
} from './read-state';

/** A notification of an inbox. `version` and `unread_byte` are of `newestRows` only. */
interface ListedRow extends NotificationRow, ReadState {
  /** End of the snooze; only of archived notifications. */
  snooze_until?: RawTimestamp | null;
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

type InboxRow = CountsRow & { is_behind: number; version: number; id?: null; start?: null };
type Row = InboxRow | (BlockRow & { id?: null }) | ListedRow;

/** A SELECT of the statement. */
interface Part {
  /** SQL by name of the column. */
  columns: Readonly<Record<string, string>>;
  /** The SELECT after its columns. */
  from: string;
  parameters: unknown[];
}

/**
 * Reads an inbox with one statement, which sees all parts at one point in time.
 * @param parts of `writtenBlocks`, `newestRows` and `rowsAt`
 */
export async function readInbox(
  em: EntityManager,
  userId: number,
  parts: readonly Part[],
): Promise<InboxReading> {
  const all = [inboxPart(userId), ...parts];
  const found = await em.query<Row[]>(
    unionOfParts(em, all),
    all.flatMap(({ parameters }) => parameters),
  );
  const inboxRows: InboxRow[] = [];
  const blocks: InboxBlock[] = [];
  const rows: ListedRow[] = [];
  for (const row of found) {
    if (typeof row.id === 'number') rows.push(row);
    else if (typeof row.start === 'number') blocks.push(toBlock(row));
    else inboxRows.push(row);
  }
  return {
    isCurrent: inboxRows[0]?.is_behind === 0,
    version: inboxRows[0]?.version ?? 0,
    types: new Map(toTypeCounts(inboxRows).map((counts) => [counts.type, counts])),
    blocks,
    rows: rows.toSorted((a, b) => b.seq - a.seq),
  };
}

/** Returns one statement with the columns of all parts. A column that a part lacks is null in its rows. */
function unionOfParts(em: EntityManager, parts: readonly Part[]): string {
  const names = [...new Set(parts.flatMap(({ columns }) => Object.keys(columns)))];
  const selects = parts.map(({ columns, from }) => {
    const list = names.map((name) => `${columns[name] ?? 'NULL'} AS ${name}`).join(', ');
    return `SELECT ${list} ${from}`;
  });
  return unionOfSome(em, selects);
}

const inboxPart = (userId: number): Part => ({
  columns: {
    version: 'i.version',
    is_behind: 'i.broadcast_id < COALESCE((SELECT MAX(broadcast_seq) FROM announcements), 0)',
    type: 'c.type',
    code: 'c.code',
    total: 'c.total',
    unread: 'c.unread',
    archived: 'c.archived',
    archived_unread: 'c.archived_unread',
    epoch: 'c.epoch',
  },
  from: `FROM notification_inboxes i LEFT JOIN notification_types c ON c.user_id = i.user_id WHERE i.user_id = ?`,
  parameters: [userId],
});

/**
 * The blocks that were written after a version of the inbox; undefined: all blocks. While the inbox has this version, no
 * block is read.
 */
export const writtenBlocks = (userId: number, version = -1): Part => ({
  columns: {
    version: 'b.version',
    start: 'b.start',
    width: 'b.width',
    types: 'b.types',
    bits: 'b.unread',
    archived_bits: 'b.archived',
  },
  from: `FROM notification_inboxes i JOIN notification_blocks b ON b.user_id = i.user_id AND b.version > ?
    WHERE i.user_id = ? AND i.version > ?`,
  parameters: [version, userId, version],
});

const ROW_COLUMNS = {
  id: 'n.id',
  seq: 'n.seq',
  type: 'n.type',
  title: 'n.title',
  content: 'n.content',
  created_at: 'n.created_at',
  data: 'n.data',
  announcement_id: 'n.announcement_id',
};
const SNOOZES = 'LEFT JOIN notification_snoozes s ON s.notification_id = n.id';

/** The rows at positions (at least one) of which the caller knows the state. Archived ones have the end of their snooze. */
export const rowsAt = (
  userId: number,
  positions: readonly ListedPosition[],
  { archived }: ListFilter,
): Part => ({
  columns: archived === 1 ? { ...ROW_COLUMNS, snooze_until: 's.due_at' } : ROW_COLUMNS,
  from: `FROM notifications n ${archived === 1 ? SNOOZES : ''}
    WHERE n.user_id = ? AND n.seq IN (${placeholders(positions)})`,
  parameters: [userId, ...positions.map(({ seq }) => seq)],
});

/**
 * The rows of a window near the start of a list: an index has the list order, and OFFSET skips the rows before. Contains
 * archived notifications.
 */
export const newestRows = (
  userId: number,
  { type }: Pick<ListFilter, 'type'>,
  { skip, take }: Window,
): Part => ({
  columns: { ...ROW_COLUMNS, version: 'b.version', unread_byte: UNREAD_BYTE },
  from: `FROM notifications n ${JOIN_BLOCK}
    WHERE n.user_id = ? ${type === undefined ? '' : 'AND n.type = ?'} ORDER BY n.seq DESC LIMIT ? OFFSET ?`,
  parameters: type === undefined ? [userId, take, skip] : [userId, type, take, skip],
});
