import { notMeasured, HttpError } from '../baseline/http';
import { InboxBlock, type StoredBlock } from '../../src/notifications/rules/inbox-block.rules';
import { Batches } from './batches';
import { marks, select, times, type Transaction } from './database';
import { append, type NewEvent } from './event-log';
import type { Routes } from './http';

/** A change of an inbox: one notification, or all of them, is marked read. */
interface Mark {
  user: number;
  id?: number;
}

interface TypeCounts {
  user_id: number;
  type: string;
  code: number;
  unread: number;
  epoch: number;
}

/** `inbox_version`: the version that the lock has assigned. */
type InboxRow = TypeCounts & { inbox_version: number; is_behind: number };

/** A notification with its block. */
interface Target extends StoredBlock {
  id: number;
  user_id: number;
  type: string;
  seq: number;
}

/** An inbox that the transaction has locked. */
type Inbox = InboxRow[];

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
         FROM notification_inboxes i JOIN notification_types c ON c.user_id = i.user_id
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
      `SELECT i.user_id, i.version AS inbox_version,
         i.broadcast_id < COALESCE((SELECT MAX(broadcast_seq) FROM announcements), 0) AS is_behind,
         c.type, c.code, c.unread, c.epoch
       FROM notification_inboxes i JOIN notification_types c ON c.user_id = i.user_id
       WHERE i.user_id IN (${marks(users)}) ORDER BY c.type`,
      users,
    ),
    ids.length === 0
      ? []
      : tx.select<Target>(
          `SELECT n.id, n.user_id, n.type, n.seq, b.start, b.version, b.width, b.types, b.unread
           FROM notifications n JOIN notification_blocks b ON b.user_id = n.user_id AND b.start = n.seq - n.seq % 1024
           WHERE n.id IN (${marks(ids)})`,
          ids,
        ),
  ]);
  if (locked.affectedRows < users.length || rows.some(({ is_behind }) => is_behind))
    throw notMeasured(OUTDATED);
  const inboxes = Map.groupBy(rows, ({ user_id }) => user_id);
  const now = new Date();
  const read: Reading[] = [];
  const emptied: number[] = [];
  const events: NewEvent[] = [];
  const results = items.map(({ user, id }) => {
    const inbox = inboxes.get(user) ?? [];
    if (id === undefined) {
      const affected = inbox.reduce((sum, { unread }) => sum + unread, 0);
      if (affected === 0) return 0;
      for (const counts of inbox) counts.unread = 0;
      emptied.push(user);
      events.push({
        log: user,
        type: 'notification.all_read',
        payload: payloadOf({ notification_type: null }, inbox),
      });
      return affected;
    }
    const target = targets.find((one) => one.id === id && one.user_id === user);
    const counts = inbox.find(({ type }) => type === target?.type);
    if (target === undefined || counts === undefined) return new HttpError(404, 404, '通知不存在');
    const block = InboxBlock.parse(target);
    if (!block.isUnreadAt(target.seq, counts.epoch)) return 0;
    counts.unread -= 1;
    read.push({ seq: target.seq, block, counts, inbox });
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
      `UPDATE notification_types c STRAIGHT_JOIN notification_inboxes i ON i.user_id = c.user_id
       SET c.epoch = i.version, c.unread = 0 WHERE c.user_id IN (${marks(emptied)}) AND c.unread > 0`,
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

/** A notification that becomes read. */
interface Reading {
  seq: number;
  block: InboxBlock;
  counts: InboxRow;
  inbox: Inbox;
}

function markRead(tx: Transaction, read: Reading[]): void {
  void tx.change(
    `INSERT INTO notification_blocks (user_id, start, version, width, types, unread)
     VALUES ${times(read.length, '(?, ?, ?, ?, ?, ?)')}
     ON DUPLICATE KEY UPDATE version = VALUES(version), unread = VALUES(unread)`,
    read.flatMap(({ seq, block, counts: { user_id, code, inbox_version }, inbox }) => {
      const epochs = new Map(inbox.map((counts) => [counts.code, counts.epoch]));
      const changed = block.change([{ seq, code, isUnread: false }], inbox_version, epochs);
      const { start, version, width, types, unread } = changed.toStored();
      return [user_id, start, version, width, Buffer.from(types), Buffer.from(unread)];
    }),
  );
  void tx.change(
    `INSERT INTO notification_types (user_id, type, code, total, unread, epoch)
     VALUES ${times(read.length, '(?, ?, ?, 0, ?, ?)')} ON DUPLICATE KEY UPDATE unread = VALUES(unread)`,
    read.flatMap(({ counts: { user_id, type, code, unread, epoch } }) => [
      user_id,
      type,
      code,
      unread,
      epoch,
    ]),
  );
}
