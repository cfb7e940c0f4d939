import { select, type Value } from './database';
import { notMeasured, type Page } from './http';

/*
 * A page of an inbox. What is not filtered by whether it is read follows an index from where the page begins; the tree
 * of counts says where that is, for any page but the first. What is filtered by it is found in the blocks that have it.
 */

const BLOCK = 32;
/** How many blocks of the level below a block has. */
const BRANCHES = 32;

export interface InboxQuery extends Page {
  type?: string;
  isRead?: boolean;
}

interface Root {
  type: string;
  total: number;
  unread: number;
  epoch: number;
}

interface Counted {
  block: number;
  count: number;
}

interface Notification {
  id: number;
  type: string;
  title: string;
  content: string;
  unread_epoch: number;
  created_at: Date;
  data: string | null;
}

/** Which of a list is wanted: `take` after the first `skip` that lie in some blocks, in descending order. */
interface Place {
  blocks: number[];
  skip: number;
  take: number;
}

export async function pageOfInbox(userId: number, query: InboxQuery) {
  const { page, per_page, type, isRead } = query;
  const isFirst = page === 1 && isRead === undefined;
  const [rows, first] = await Promise.all([
    overview(userId, isFirst ? 3 : 2),
    isFirst ? newest(userId, type, per_page) : undefined,
  ]);
  const roots = new Map(rows.filter(({ level }) => level === 3).map((root) => [root.type, root]));
  const count = counter(query, roots);
  const total = sum(rows.filter(({ level }) => level === 3).map(count));
  const skip = (page - 1) * per_page;
  const take = Math.max(0, Math.min(per_page, total - skip));
  const list = first ?? (take === 0 ? [] : await deepPage(userId, query, roots, await start()));

  async function start(): Promise<Place> {
    let place: Place = cover(byBlock(rows.filter(({ level }) => level === 2)), { skip, take });
    for (const level of [1, 0])
      place = cover(byBlock(await nodes(userId, query, level, place.blocks)), place);
    return place;
  }

  function byBlock(of: (Root & { block: number })[]): Counted[] {
    const counts = new Map<number, number>();
    for (const node of of) counts.set(node.block, (counts.get(node.block) ?? 0) + count(node));
    return Array.from(counts, ([block, n]) => ({ block, count: n }));
  }

  if (list.length < take) throw notMeasured('an inbox that changes while it is read');
  return {
    list: list.map(({ unread_epoch, created_at, data, ...rest }) => ({
      ...rest,
      is_read: unread_epoch === roots.get(rest.type)?.epoch ? 0 : 1,
      created_at: created_at.toISOString(),
      data: data === null ? null : (JSON.parse(data) as object),
    })),
    total,
    per_page,
    current_page: page,
    last_page: Math.max(1, Math.ceil(total / per_page)),
  };
}

const sum = (counts: number[]): number => counts.reduce((a, b) => a + b, 0);

/** How many of the list a node of the tree counts. */
function counter({ type, isRead }: InboxQuery, roots: Map<string, Root>): (node: Root) => number {
  return (node) => {
    if (type !== undefined && node.type !== type) return 0;
    if (isRead === undefined) return node.total;
    const unread = node.epoch === roots.get(node.type)?.epoch ? node.unread : 0;
    return isRead ? node.total - unread : unread;
  };
}

async function overview(userId: number, lowest: number) {
  const rows = await select<Root & { level: number; block: number; is_behind: number }>(
    `SELECT i.broadcast_id < COALESCE((SELECT MAX(id) FROM notification_broadcasts), 0) AS is_behind,
       c.level, c.block, c.type, c.total, c.unread, c.epoch
     FROM notification_inboxes i JOIN notification_counts c ON c.user_id = i.user_id AND c.level >= ?
     WHERE i.user_id = ? ORDER BY c.block DESC`,
    [lowest, userId],
  );
  if (rows[0]?.is_behind !== 0) throw notMeasured('an inbox that must catch up');
  return rows;
}

const COLUMNS = 'id, type, title, content, unread_epoch, created_at, data';

const newest = (userId: number, type: string | undefined, take: number): Promise<Notification[]> =>
  select(
    `SELECT ${COLUMNS} FROM notifications WHERE user_id = ? ${type === undefined ? '' : 'AND type = ?'}
     ORDER BY seq DESC LIMIT ?`,
    type === undefined ? [userId, take] : [userId, type, take],
  );

/** The nodes of a level below some blocks of the next. */
function nodes(userId: number, { type }: InboxQuery, level: number, above: number[]) {
  const ranges = above.map(() => 'block BETWEEN ? AND ?').join(' OR ');
  const values: Value[] = above.flatMap((block) => [block * BRANCHES, block * BRANCHES + BRANCHES - 1]);
  return select<Root & { block: number }>(
    `SELECT block, type, total, unread, epoch FROM notification_counts
     WHERE user_id = ? AND level = ${level} AND (${ranges}) ${type === undefined ? '' : 'AND type = ?'}
     ORDER BY block DESC`,
    [userId, ...values, ...(type === undefined ? [] : [type])],
  );
}

function cover(counted: Counted[], { skip, take }: Pick<Place, 'skip' | 'take'>): Place {
  const blocks: number[] = [];
  let before = 0;
  let skipped = 0;
  for (const { block, count } of counted) {
    if (count > 0 && before + count > skip && before < skip + take && blocks.push(block) === 1)
      skipped = before;
    before += count;
  }
  return { blocks, skip: skip - skipped, take };
}

function deepPage(
  userId: number,
  { type, isRead }: InboxQuery,
  roots: Map<string, Root>,
  { blocks, skip, take }: Place,
): Promise<Notification[]> {
  const values: Value[] = [userId, (blocks[0] ?? 0) * BLOCK + BLOCK - 1, (blocks.at(-1) ?? 0) * BLOCK];
  const conditions = ['user_id = ? AND seq <= ? AND seq >= ?'];
  if (type !== undefined) {
    conditions.push('type = ?');
    values.push(type);
  }
  if (isRead !== undefined) {
    const of = [...roots.values()].filter((root) => type === undefined || root.type === type);
    conditions.push(
      `${isRead ? 'NOT ' : ''}(${of.map(() => '(type = ? AND unread_epoch = ?)').join(' OR ')})`,
    );
    values.push(...of.flatMap((root) => [root.type, root.epoch]));
  }
  return select(
    `SELECT ${COLUMNS} FROM notifications WHERE ${conditions.join(' AND ')} ORDER BY seq DESC LIMIT ? OFFSET ?`,
    [...values, take, skip],
  );
}
