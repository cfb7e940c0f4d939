import type { EntityManager } from 'typeorm';
import { ListPage, offsetOf } from '../../common/http/page';
import { type RawCount, toCount } from '../../database/sql/dialect';
import {
  below,
  type Counted,
  cover,
  type TreeWindow,
  type Range,
  topOf,
  type Window,
} from '../rules/count-tree.rules';
import type { ListNotificationsQuery } from '../dto/list-query.dto';
import {
  type NotificationResponse,
  toNotificationResponse,
  type NotificationRow,
} from '../dto/notification.dto';
import type { InboxSnapshot, SnapshotReading } from './inbox-snapshot.store';
import type { PagePositionCache, PagePosition } from './page-position-cache';

/** Up to this offset rows are skipped by OFFSET, which is cheaper than using the count tree. */
const MAX_OFFSET = 100;
const EVERYWHERE: Range[] = [{ from: 0, to: Number.MAX_SAFE_INTEGER }];

/** The filters of a list; undefined: not filtered. */
type Filter = Pick<ListNotificationsQuery, 'type' | 'is_read'>;

/** How pages are read. */
export interface Source {
  em: EntityManager;
  /** Reads a user's inbox, possibly batched with those of other users. */
  snapshotOf: (userId: number) => Promise<InboxSnapshot>;
  /** Absent while the inbox is locked: the state that is read then may be rolled back, and must not be cached. */
  positions?: PagePositionCache;
}

/**
 * Reads a page of a user's notifications, newest first, by the count tree: two to five statements, regardless of the
 * length of the inbox, the filters and the page number. The page is current unless the inbox was changed meanwhile.
 */
export async function readPage(
  source: Source,
  userId: number,
  query: ListNotificationsQuery,
): Promise<SnapshotReading<ListPage<NotificationResponse>>> {
  const skip = offsetOf(query);
  const snapshot = await source.snapshotOf(userId);
  const total = totalOf(query, snapshot);
  const take = Math.max(0, Math.min(query.per_page, total - skip));
  const isNear = query.is_read === undefined && skip <= MAX_OFFSET;
  const read = isNear ? readNewest : readWindow;
  const rows = take === 0 ? [] : await read(source, userId, query, snapshot, { skip, take });
  const list = rows.map((row) => toNotificationResponse(row, snapshot.roots.get(row.type)?.epoch));
  return {
    value: new ListPage(list, total, query),
    isCurrent: snapshot.isCurrent && list.length === take,
  };
}

/** Returns the number of notifications in the list. */
function totalOf({ type, is_read }: Filter, { roots }: InboxSnapshot): number {
  return [...roots.values()]
    .filter((root) => type === undefined || root.type === type)
    .map(({ total, unread }) => (is_read === undefined ? total : is_read === 0 ? unread : total - unread))
    .reduce((sum, count) => sum + count, 0);
}

/**
 * Reads a window near the start of the list: an index has the list order, and OFFSET skips the rows before the window.
 */
const readNewest = (
  { em }: Source,
  userId: number,
  filter: Filter,
  snapshot: InboxSnapshot,
  window: Window,
): Promise<NotificationRow[]> => readRows(em, userId, filter, snapshot, EVERYWHERE, window);

async function readWindow(
  { em, positions }: Source,
  userId: number,
  filter: Filter,
  snapshot: InboxSnapshot,
  window: Window,
): Promise<NotificationRow[]> {
  const list = listKeyOf(userId, filter);
  const cached = positions?.find(list, snapshot.version, window);
  const { place, position } = cached ? { place: cached } : await locate(em, userId, filter, snapshot, window);
  const rows = await readRows(em, userId, filter, snapshot, below(0, place.blocks), place.window);
  // Only a full page proves that the inbox has had this version all the time.
  if (position !== undefined && rows.length === window.take) positions?.keep(list, position);
  return rows;
}

/**
 * Descends the count tree to the lowest blocks that contain a window. `position` is undefined if the top is the lowest
 * level.
 */
async function locate(
  em: EntityManager,
  userId: number,
  filter: Filter,
  snapshot: InboxSnapshot,
  window: Window,
): Promise<{ place: TreeWindow; position?: PagePosition }> {
  const top = topOf(snapshot.lastSeq);
  let place: TreeWindow = { blocks: top.blocks, window };
  let position: PagePosition | undefined;
  for (let level = top.level; level > 0; level -= 1) {
    const counted = await readCounted(em, userId, filter, snapshot, level - 1, below(level, place.blocks));
    position = { version: snapshot.version, before: window.skip - place.window.skip, counted };
    place = cover(counted, place.window);
  }
  return { place, position };
}

/** Returns the cache key of a list. */
const listKeyOf = (userId: number, { type, is_read }: Filter): string =>
  JSON.stringify([userId, is_read, type]);

/** Returns the number of notifications of the list in each block of a level, in list order. */
async function readCounted(
  em: EntityManager,
  userId: number,
  { type, is_read }: Filter,
  snapshot: InboxSnapshot,
  level: number,
  ranges: Range[],
): Promise<Counted[]> {
  const inRanges = within('block', ranges);
  const current = currentEpochCondition('epoch', type, snapshot);
  const unread = `SUM(CASE WHEN ${current.sql} THEN unread ELSE 0 END)`;
  const count = is_read === undefined ? 'SUM(total)' : is_read === 0 ? unread : `SUM(total) - ${unread}`;
  const parameters = is_read === undefined ? [] : current.parameters;
  parameters.push(userId, level, ...inRanges.parameters);
  if (type !== undefined) parameters.push(type);
  const rows = await em.query<{ block: number; count: RawCount }[]>(
    `SELECT block, ${count} AS count FROM notification_counts
     WHERE user_id = ? AND level = ? AND ${inRanges.sql} ${type === undefined ? '' : 'AND type = ?'}
     GROUP BY block ORDER BY block DESC`,
    parameters,
  );
  // MySQL returns sums as text.
  return rows.map((row) => ({ block: row.block, count: toCount(row.count) }));
}

/** Returns the condition that a node or notification was last unread in the current epoch of its type. */
function currentEpochCondition(
  column: 'epoch' | 'unread_epoch',
  type: string | undefined,
  { roots }: InboxSnapshot,
): { sql: string; parameters: unknown[] } {
  const matching = [...roots.values()].filter((root) => type === undefined || root.type === type);
  return {
    sql: matching.map(() => `(type = ? AND ${column} = ?)`).join(' OR '),
    parameters: matching.flatMap((root) => [root.type, root.epoch]),
  };
}

/**
 * Returns the rows of a window of the list within ranges of positions; none if the inbox has changed since the
 * snapshot.
 */
async function readRows(
  em: EntityManager,
  userId: number,
  { type, is_read }: Filter,
  snapshot: InboxSnapshot,
  ranges: Range[],
  { skip, take }: Window,
): Promise<NotificationRow[]> {
  const inRanges = within('seq', ranges);
  const conditions = ['user_id = ?', inRanges.sql];
  const parameters: unknown[] = [userId, ...inRanges.parameters];
  if (type !== undefined) {
    conditions.push('type = ?');
    parameters.push(type);
  }
  if (is_read !== undefined) {
    const isUnread = currentEpochCondition('unread_epoch', type, snapshot);
    conditions.push(`${is_read === 0 ? '' : 'NOT '}(${isUnread.sql})`);
    parameters.push(...isUnread.parameters);
  }
  // OFFSET skips at most one block, a few blocks at the top of the tree, or `MAX_OFFSET` rows.
  return (await em.query(
    `SELECT id, type, title, content, unread_epoch, created_at, data, announcement_id FROM notifications
     WHERE ${conditions.join(' AND ')}
       AND (SELECT version FROM notification_inboxes WHERE user_id = ?) = ?
     ORDER BY seq DESC LIMIT ? OFFSET ?`,
    [...parameters, userId, snapshot.version, take, skip],
  )) as NotificationRow[];
}

/** Matches nothing. There are no ranges if the inbox has changed since the snapshot, or its counts have drifted. */
const NOWHERE = { sql: '1 = 0', parameters: [] };

function within(column: string, ranges: Range[]): { sql: string; parameters: number[] } {
  if (ranges.length === 0) return NOWHERE;
  return {
    sql: `(${ranges.map(() => `${column} BETWEEN ? AND ?`).join(' OR ')})`,
    parameters: ranges.flatMap(({ from, to }) => [from, to]),
  };
}
