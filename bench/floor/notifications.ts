import { notMeasured, HttpError } from '../baseline/http';
import { nodesOf } from '../../src/notifications/rules/count-tree.rules';
import { Batches } from './batches';
import { marks, select, times, type Transaction } from './database';
import { append, type NewEvent } from './event-log';
import type { Routes } from './http';

/** A change of an inbox: one notification, or all of them, is marked read. */
interface Mark {
  user: number;
  id?: number;
}

interface Root {
  type: string;
  unread: number;
  epoch: number;
}

type InboxRow = Root & { user_id: number; is_behind: number };

interface Target {
  id: number;
  user_id: number;
  type: string;
  seq: number;
  unread_epoch: number;
}

/** An inbox that the transaction has locked. */
type Inbox = Root[];

const OUTDATED = 'an inbox that was never opened, or that lacks announcements';

const batches = new Batches<Mark, number>({
  keysOf: ({ user }) => [`user ${user}`],
  mayRepeatKey: false,
  work: write,
});

export const NOTIFICATIONS: Routes = {
  'GET /api/notifications/unread-count': async ({ user }) => {
    const rows = await unreadOf(user);
    const types = rows.filter(({ unread }) => unread > 0);
    return {
      headers: { 'X-Event-Cursor': rows[0]?.event_cursor ?? 0 },
      data: {
        count: types.reduce((sum, { unread }) => sum + unread, 0),
        by_type: Object.fromEntries(types.map(({ type, unread }) => [type, unread])),
      },
    };
  },
  'PUT /api/notifications/:id/read': async ({ user, id }) => {
    await batches.run({ user, id });
    return { data: null, message: '标记成功' };
  },
  'PUT /api/notifications/all/read': async ({ user }) => {
    const unread = (await unreadOf(user)).reduce((sum, row) => sum + row.unread, 0);
    return { data: { affected: unread === 0 ? 0 : await batches.run({ user }) } };
  },
};

interface UnreadRow {
  user_id: number;
  event_cursor: number;
  is_behind: number;
  type: string;
  unread: number;
}

/** Requests of one turn of the event loop, which share a statement. */
let asking: { users: Set<number>; rows: Promise<UnreadRow[]> } | undefined;

async function unreadOf(user: number): Promise<UnreadRow[]> {
  if (asking === undefined) {
    const users = new Set<number>();
    const rows = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      asking = undefined;
      return select<UnreadRow>(
        `SELECT i.user_id, COALESCE((SELECT last_seq FROM event_cursors WHERE user_id = i.user_id), 0) AS event_cursor,
           i.broadcast_id < COALESCE((SELECT MAX(broadcast_seq) FROM announcements), 0) AS is_behind, c.type, c.unread
         FROM notification_inboxes i JOIN notification_counts c ON c.user_id = i.user_id AND c.level = 3 AND c.block = 0
         WHERE i.user_id IN (${marks([...users])})`,
        [...users],
      );
    });
    asking = { users, rows };
  }
  asking.users.add(user);
  const rows = (await asking.rows).filter(({ user_id }) => user_id === user);
  if (rows.length === 0 || rows[0]?.is_behind) throw notMeasured(OUTDATED);
  return rows;
}

/** Two round trips and the commit: locks; rows, counts and events. */
async function write(tx: Transaction, items: Mark[]): Promise<(number | Error)[]> {
  const users = items.map(({ user }) => user).toSorted((a, b) => a - b);
  const ids = items.flatMap(({ id }) => id ?? []);
  const [locked, rows, targets] = await Promise.all([
    tx.change(
      `UPDATE notification_inboxes FORCE INDEX (PRIMARY) SET version = version + 1 WHERE user_id IN (${marks(users)})`,
      users,
    ),
    tx.select<InboxRow>(
      `SELECT i.user_id, i.broadcast_id < COALESCE((SELECT MAX(broadcast_seq) FROM announcements), 0) AS is_behind,
         c.type, c.unread, c.epoch
       FROM notification_inboxes i JOIN notification_counts c ON c.user_id = i.user_id AND c.level = 3 AND c.block = 0
       WHERE i.user_id IN (${marks(users)}) ORDER BY c.type`,
      users,
    ),
    ids.length === 0
      ? []
      : tx.select<Target>(
          `SELECT id, user_id, type, seq, unread_epoch FROM notifications WHERE id IN (${marks(ids)})`,
          ids,
        ),
  ]);
  if (locked.affectedRows < users.length || rows.some(({ is_behind }) => is_behind))
    throw notMeasured(OUTDATED);
  const inboxes = Map.groupBy(rows, ({ user_id }) => user_id);
  const now = new Date();
  const read: { target: Target; root: Root }[] = [];
  const emptied: number[] = [];
  const events: NewEvent[] = [];
  const results = items.map(({ user, id }) => {
    const inbox = inboxes.get(user) ?? [];
    if (id === undefined) {
      const affected = inbox.reduce((sum, { unread }) => sum + unread, 0);
      if (affected === 0) return 0;
      for (const root of inbox) root.unread = 0;
      emptied.push(user);
      events.push({
        log: user,
        type: 'notification.all_read',
        payload: payloadOf({ notification_type: null }, inbox),
      });
      return affected;
    }
    const target = targets.find((one) => one.id === id && one.user_id === user);
    const root = inbox.find(({ type }) => type === target?.type);
    if (target === undefined || root === undefined) return new HttpError(404, 404, '通知不存在');
    if (target.unread_epoch !== root.epoch) return 0;
    root.unread -= 1;
    read.push({ target, root });
    events.push({
      log: user,
      type: 'notification.read',
      payload: payloadOf({ id, notification_id: id }, inbox),
    });
    return 1;
  });
  if (read.length > 0) markRead(tx, read);
  if (emptied.length > 0)
    void tx.change(
      `UPDATE notification_counts FORCE INDEX (PRIMARY) SET epoch = epoch + 1, unread = 0
       WHERE user_id IN (${marks(emptied)}) AND level = 3 AND block = 0 AND unread > 0`,
      emptied,
    );
  if (events.length > 0) append(tx, events, now);
  return results;
}

function payloadOf(first: object, inbox: Inbox): string {
  const types = inbox.filter(({ unread }) => unread > 0);
  return JSON.stringify({
    ...first,
    unread_count: types.reduce((sum, { unread }) => sum + unread, 0),
    by_type: Object.fromEntries(types.map(({ type, unread }) => [type, unread])),
  });
}

function markRead(tx: Transaction, read: { target: Target; root: Root }[]): void {
  const ids = read.map(({ target }) => target.id);
  void tx.change(
    `UPDATE notifications FORCE INDEX (PRIMARY) SET unread_epoch = 0 WHERE id IN (${marks(ids)})`,
    ids,
  );
  const nodes = read.flatMap(({ target: { user_id, type, seq }, root }) =>
    nodesOf(seq).map(({ level, block }) => [user_id, level, block, type, 0, -1, root.epoch]),
  );
  // An unread count of an earlier epoch is reset first. MySQL assigns from left to right.
  void tx.change(
    `INSERT INTO notification_counts (user_id, level, block, type, total, unread, epoch)
     VALUES ${times(nodes.length, '(?, ?, ?, ?, ?, ?, ?)')}
     ON DUPLICATE KEY UPDATE unread = IF(epoch = VALUES(epoch), unread, 0) + VALUES(unread), epoch = VALUES(epoch)`,
    nodes.flat(),
  );
}
