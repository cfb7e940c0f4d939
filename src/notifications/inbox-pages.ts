import type { EntityManager } from 'typeorm';
import { ListPage, offsetOf } from '../common/http/page';
import { below, type Counted, cover, type Place, type Range, topOf, type Window } from './count-tree';
import type { ListQuery } from './dto/list-query.dto';
import {
  type NotificationResponse,
  toNotificationResponse,
  type NotificationRow,
} from './dto/notification.dto';
import type { Overview, Reading } from './inbox-overview';
import type { RecentWalks, Walk } from './recent-walks';

/** How many of the newest are rather skipped over than found by the count tree. */
const NEAR = 100;
const EVERYWHERE: Range[] = [{ from: 0, to: Number.MAX_SAFE_INTEGER }];

/** Which notifications a list is about; a filter that is undefined lets everything through. */
type Filter = Pick<ListQuery, 'type' | 'is_read'>;

/** What pages are read from. */
export interface Source {
  em: EntityManager;
  /** Reads a user's inbox, perhaps together with those of others. */
  overviewOf: (userId: number) => Promise<Overview>;
  /** None while the inbox is locked: what is read then may be rolled back. */
  walks?: RecentWalks;
}

/**
 * A page of one user's notifications, newest first, found by walking the count tree: two to five statements however
 * long the inbox is, whatever the filter, however deep the page. It is current unless the inbox was changed meanwhile.
 */
export async function readPage(
  source: Source,
  userId: number,
  query: ListQuery,
): Promise<Reading<ListPage<NotificationResponse>>> {
  const skip = offsetOf(query);
  const overview = await source.overviewOf(userId);
  const total = totalOf(query, overview);
  const take = Math.max(0, Math.min(query.per_page, total - skip));
  const isNear = query.is_read === undefined && skip <= NEAR;
  const read = isNear ? readNewest : readWindow;
  const rows = take === 0 ? [] : await read(source, userId, query, overview, { skip, take });
  const list = rows.map((row) => toNotificationResponse(row, overview.roots.get(row.type)?.epoch));
  return {
    value: new ListPage(list, total, query),
    isCurrent: overview.isCurrent && list.length === take,
  };
}

/** How many notifications the list holds. */
function totalOf({ type, is_read }: Filter, { roots }: Overview): number {
  return [...roots.values()]
    .filter((root) => type === undefined || root.type === type)
    .map(({ total, unread }) => (is_read === undefined ? total : is_read === 0 ? unread : total - unread))
    .reduce((sum, count) => sum + count, 0);
}

/** An index is in the order of the list: what comes before a near window is walked over. */
const readNewest = (
  { em }: Source,
  userId: number,
  filter: Filter,
  overview: Overview,
  window: Window,
): Promise<NotificationRow[]> => readRows(em, userId, filter, overview, EVERYWHERE, window);

async function readWindow(
  { em, walks }: Source,
  userId: number,
  filter: Filter,
  overview: Overview,
  wanted: Window,
): Promise<NotificationRow[]> {
  const list = listOf(userId, filter);
  const known = walks?.find(list, overview.version, wanted);
  const { place, walk } = known ? { place: known } : await walkDown(em, userId, filter, overview, wanted);
  const rows = await readRows(em, userId, filter, overview, below(0, place.blocks), place.window);
  // Only rows prove that the inbox has had this version all the time.
  if (walk !== undefined && rows.length === wanted.take) walks?.keep(list, walk);
  return rows;
}

/** From the top of the count tree to the lowest blocks that hold a window; no `walk`: they are the top. */
async function walkDown(
  em: EntityManager,
  userId: number,
  filter: Filter,
  overview: Overview,
  wanted: Window,
): Promise<{ place: Place; walk?: Walk }> {
  const top = topOf(overview.lastSeq);
  let place: Place = { blocks: top.blocks, window: wanted };
  let walk: Walk | undefined;
  for (let level = top.level; level > 0; level -= 1) {
    const counted = await readCounted(em, userId, filter, overview, level - 1, below(level, place.blocks));
    walk = { version: overview.version, before: wanted.skip - place.window.skip, counted };
    place = cover(counted, place.window);
  }
  return { place, walk };
}

/** One name for a list among all. */
const listOf = (userId: number, { type, is_read }: Filter): string => JSON.stringify([userId, is_read, type]);

/** How many notifications of the list the blocks of a level hold, in the order of the list. */
async function readCounted(
  em: EntityManager,
  userId: number,
  { type, is_read }: Filter,
  overview: Overview,
  level: number,
  ranges: Range[],
): Promise<Counted[]> {
  const inRanges = within('block', ranges);
  const current = ofCurrentEpochs('epoch', type, overview);
  const unread = `SUM(CASE WHEN ${current.sql} THEN unread ELSE 0 END)`;
  const count = is_read === undefined ? 'SUM(total)' : is_read === 0 ? unread : `SUM(total) - ${unread}`;
  const parameters = is_read === undefined ? [] : current.parameters;
  parameters.push(userId, level, ...inRanges.parameters);
  if (type !== undefined) parameters.push(type);
  const rows = await em.query<{ block: number; count: number | string }[]>(
    `SELECT block, ${count} AS count FROM notification_counts
     WHERE user_id = ? AND level = ? AND ${inRanges.sql} ${type === undefined ? '' : 'AND type = ?'}
     GROUP BY block ORDER BY block DESC`,
    parameters,
  );
  // MySQL sums in text.
  return rows.map((row) => ({ block: row.block, count: Number(row.count) }));
}

/** That a node, or a notification, was last unread in the epoch that holds for its type. */
function ofCurrentEpochs(
  column: 'epoch' | 'unread_epoch',
  type: string | undefined,
  { roots }: Overview,
): { sql: string; parameters: unknown[] } {
  const wanted = [...roots.values()].filter((root) => type === undefined || root.type === type);
  return {
    sql: wanted.map(() => `(type = ? AND ${column} = ?)`).join(' OR '),
    parameters: wanted.flatMap((root) => [root.type, root.epoch]),
  };
}

/** The rows of a window of a list within some positions; none once the inbox has moved on from the overview. */
async function readRows(
  em: EntityManager,
  userId: number,
  { type, is_read }: Filter,
  overview: Overview,
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
    const isUnread = ofCurrentEpochs('unread_epoch', type, overview);
    conditions.push(`${is_read === 0 ? '' : 'NOT '}(${isUnread.sql})`);
    parameters.push(...isUnread.parameters);
  }
  // The OFFSET lies within one block, or a few at the top of the tree, or it is that of a near window.
  return (await em.query(
    `SELECT id, type, title, content, unread_epoch, created_at FROM notifications
     WHERE ${conditions.join(' AND ')}
       AND (SELECT version FROM notification_inboxes WHERE user_id = ?) = ?
     ORDER BY seq DESC LIMIT ? OFFSET ?`,
    [...parameters, userId, overview.version, take, skip],
  )) as NotificationRow[];
}

/** No ranges at all, which holds nothing: the inbox was changed since the overview, or its counts have drifted. */
const NOWHERE = { sql: '1 = 0', parameters: [] };

function within(column: string, ranges: Range[]): { sql: string; parameters: number[] } {
  if (ranges.length === 0) return NOWHERE;
  return {
    sql: `(${ranges.map(() => `${column} BETWEEN ? AND ?`).join(' OR ')})`,
    parameters: ranges.flatMap(({ from, to }) => [from, to]),
  };
}
