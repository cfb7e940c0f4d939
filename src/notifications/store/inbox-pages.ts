import type { EntityManager } from 'typeorm';
import { ListPage, offsetOf } from '../../common/http/page';
import { type RawCount, toCount } from '../../database/dialect';
import { below, type Counted, cover, type Place, type Range, topOf, type Window } from '../rules/count-tree';
import type { ListNotificationsQuery } from '../dto/list-query.dto';
import {
  type NotificationResponse,
  toNotificationResponse,
  type NotificationRow,
} from '../dto/notification.dto';
import type { InboxSnapshot, Reading } from './inbox-snapshot';
import type { PagePositionCache, PagePosition } from './page-position-cache';

/** How many of the newest are rather skipped over than found by the count tree. */
const NEAR = 100;
const EVERYWHERE: Range[] = [{ from: 0, to: Number.MAX_SAFE_INTEGER }];

/** Which notifications a list is about; a filter that is undefined lets everything through. */
type Filter = Pick<ListNotificationsQuery, 'type' | 'is_read'>;

/** What pages are read from. */
export interface Source {
  em: EntityManager;
  /** Reads a user's inbox, perhaps together with those of others. */
  snapshotOf: (userId: number) => Promise<InboxSnapshot>;
  /** None while the inbox is locked: what is read then may be rolled back. */
  positions?: PagePositionCache;
}

/**
 * A page of one user's notifications, newest first, found by the count tree: two to five statements however
 * long the inbox is, whatever the filter, however deep the page. It is current unless the inbox was changed meanwhile.
 */
export async function readPage(
  source: Source,
  userId: number,
  query: ListNotificationsQuery,
): Promise<Reading<ListPage<NotificationResponse>>> {
  const skip = offsetOf(query);
  const snapshot = await source.snapshotOf(userId);
  const total = totalOf(query, snapshot);
  const take = Math.max(0, Math.min(query.per_page, total - skip));
  const isNear = query.is_read === undefined && skip <= NEAR;
  const read = isNear ? readNewest : readWindow;
  const rows = take === 0 ? [] : await read(source, userId, query, snapshot, { skip, take });
  const list = rows.map((row) => toNotificationResponse(row, snapshot.roots.get(row.type)?.epoch));
  return {
    value: new ListPage(list, total, query),
    isCurrent: snapshot.isCurrent && list.length === take,
  };
}

/** How many notifications the list holds. */
function totalOf({ type, is_read }: Filter, { roots }: InboxSnapshot): number {
  return [...roots.values()]
    .filter((root) => type === undefined || root.type === type)
    .map(({ total, unread }) => (is_read === undefined ? total : is_read === 0 ? unread : total - unread))
    .reduce((sum, count) => sum + count, 0);
}

/** An index is in the order of the list: what comes before a near window is skipped over. */
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
  wanted: Window,
): Promise<NotificationRow[]> {
  const list = listOf(userId, filter);
  const known = positions?.find(list, snapshot.version, wanted);
  const { place, position } = known ? { place: known } : await locate(em, userId, filter, snapshot, wanted);
  const rows = await readRows(em, userId, filter, snapshot, below(0, place.blocks), place.window);
  // Only rows prove that the inbox has had this version all the time.
  if (position !== undefined && rows.length === wanted.take) positions?.keep(list, position);
  return rows;
}

/** Goes down the count tree to the lowest blocks that hold a window; no `position`: they are its top. */
async function locate(
  em: EntityManager,
  userId: number,
  filter: Filter,
  snapshot: InboxSnapshot,
  wanted: Window,
): Promise<{ place: Place; position?: PagePosition }> {
  const top = topOf(snapshot.lastSeq);
  let place: Place = { blocks: top.blocks, window: wanted };
  let position: PagePosition | undefined;
  for (let level = top.level; level > 0; level -= 1) {
    const counted = await readCounted(em, userId, filter, snapshot, level - 1, below(level, place.blocks));
    position = { version: snapshot.version, before: wanted.skip - place.window.skip, counted };
    place = cover(counted, place.window);
  }
  return { place, position };
}

/** One name for a list among all. */
const listOf = (userId: number, { type, is_read }: Filter): string => JSON.stringify([userId, is_read, type]);

/** How many notifications of the list the blocks of a level hold, in the order of the list. */
async function readCounted(
  em: EntityManager,
  userId: number,
  { type, is_read }: Filter,
  snapshot: InboxSnapshot,
  level: number,
  ranges: Range[],
): Promise<Counted[]> {
  const inRanges = within('block', ranges);
  const current = ofCurrentEpochs('epoch', type, snapshot);
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
  // MySQL sums in text.
  return rows.map((row) => ({ block: row.block, count: toCount(row.count) }));
}

/** That a node, or a notification, was last unread in the epoch that holds for its type. */
function ofCurrentEpochs(
  column: 'epoch' | 'unread_epoch',
  type: string | undefined,
  { roots }: InboxSnapshot,
): { sql: string; parameters: unknown[] } {
  const wanted = [...roots.values()].filter((root) => type === undefined || root.type === type);
  return {
    sql: wanted.map(() => `(type = ? AND ${column} = ?)`).join(' OR '),
    parameters: wanted.flatMap((root) => [root.type, root.epoch]),
  };
}

/** The rows of a window of a list within some positions; none once the inbox has moved on from the snapshot. */
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
    const isUnread = ofCurrentEpochs('unread_epoch', type, snapshot);
    conditions.push(`${is_read === 0 ? '' : 'NOT '}(${isUnread.sql})`);
    parameters.push(...isUnread.parameters);
  }
  // The OFFSET lies within one block, or a few at the top of the tree, or it is that of a near window.
  return (await em.query(
    `SELECT id, type, title, content, unread_epoch, created_at, data, announcement_id FROM notifications
     WHERE ${conditions.join(' AND ')}
       AND (SELECT version FROM notification_inboxes WHERE user_id = ?) = ?
     ORDER BY seq DESC LIMIT ? OFFSET ?`,
    [...parameters, userId, snapshot.version, take, skip],
  )) as NotificationRow[];
}

/** No ranges at all, which holds nothing: the inbox was changed since the snapshot, or its counts have drifted. */
const NOWHERE = { sql: '1 = 0', parameters: [] };

function within(column: string, ranges: Range[]): { sql: string; parameters: number[] } {
  if (ranges.length === 0) return NOWHERE;
  return {
    sql: `(${ranges.map(() => `${column} BETWEEN ? AND ?`).join(' OR ')})`,
    parameters: ranges.flatMap(({ from, to }) => [from, to]),
  };
}
