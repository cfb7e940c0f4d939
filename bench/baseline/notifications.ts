import type { FastifyInstance } from 'fastify';
import { change, type Connection, select, transaction } from './database';
import { writeEvents } from './events';
import { callerOf, notMeasured, ok, pageOf, pathId, Refusal } from './http';
import { pageOfInbox } from './inbox-pages';

const BLOCKS = [32, 1_024, 32_768];

const IS_BEHIND = 'i.broadcast_id < COALESCE((SELECT MAX(id) FROM notification_broadcasts), 0) AS is_behind';

interface Root {
  type: string;
  unread: number;
}

/** The unread count, the pages, and marking one or all as read. */
export function notifications(server: FastifyInstance): void {
  server.get('/api/notifications/unread-count', async (request, reply) => {
    const rows = await select<{ cursor: number | null; is_behind: number } & Partial<Root>>(
      `SELECT e.last_seq AS \`cursor\`, ${IS_BEHIND}, c.type, c.unread
       FROM notification_inboxes i
       LEFT JOIN event_cursors e ON e.user_id = i.user_id
       LEFT JOIN notification_counts c ON c.user_id = i.user_id AND c.level = 3 AND c.block = 0 AND c.unread > 0
       WHERE i.user_id = ?`,
      [callerOf(request).id],
    );
    if (rows[0]?.is_behind !== 0) throw notMeasured('an inbox that must catch up');
    void reply.header('X-Event-Cursor', rows[0].cursor ?? 0);
    return ok(
      reply,
      unreadIn(
        rows.filter((row): row is Root & typeof row => row.type !== null),
        'count',
      ),
    );
  });

  server.get('/api/notifications', async (request, reply) => {
    const { type, is_read } = request.query as { type?: string; is_read?: string };
    if (is_read !== undefined && is_read !== '0' && is_read !== '1')
      throw new Refusal(422, 422, 'is_read 取值无效');
    const page = pageOf(request, 15);
    const answer = await pageOfInbox(callerOf(request).id, {
      ...page,
      type,
      isRead: is_read === undefined ? undefined : is_read === '1',
    });
    void reply.header('X-Total-Count', answer.total);
    return ok(reply, answer);
  });

  server.put('/api/notifications/:id/read', async (request, reply) => {
    const { id: userId } = callerOf(request);
    const id = pathId(request, 'id');
    await transaction((on) => markRead(on, userId, id, new Date()));
    return ok(reply, null, '标记成功');
  });

  server.put('/api/notifications/all/read', async (request, reply) => {
    const { id: userId } = callerOf(request);
    if ((await unreadOf(userId)) === 0) return ok(reply, { affected: 0 });
    return ok(reply, { affected: await transaction((on) => markAll(on, userId, new Date())) });
  });
}

/** Unread in all, under `name`, and by type. */
function unreadIn(roots: Root[], name: 'count' | 'unread_count'): object {
  const unread = roots.filter((root) => root.unread > 0);
  return {
    [name]: unread.reduce((sum, root) => sum + root.unread, 0),
    by_type: Object.fromEntries(unread.map((root) => [root.type, root.unread])),
  };
}

const lockInbox = (on: Connection, userId: number) =>
  change(on, 'UPDATE notification_inboxes SET version = version + 1 WHERE user_id = ?', [userId]);

async function markRead(on: Connection, userId: number, id: number, now: Date): Promise<void> {
  await lockInbox(on, userId);
  const rows = await select<
    Root & { epoch: number; is_behind: number; seq: number; own_type: string; unread_epoch: number }
  >(
    `SELECT n.seq, n.type AS own_type, n.unread_epoch, ${IS_BEHIND}, c.type, c.unread, c.epoch
     FROM notifications n
     JOIN notification_inboxes i ON i.user_id = n.user_id
     JOIN notification_counts c ON c.user_id = n.user_id AND c.level = 3 AND c.block = 0
     WHERE n.id = ? AND n.user_id = ?`,
    [id, userId],
    on,
  );
  const root = rows.find(({ type, own_type }) => type === own_type);
  if (root === undefined) throw new Refusal(404, 404, '通知不存在');
  if (root.is_behind !== 0) throw notMeasured('an inbox that must catch up');
  if (root.unread_epoch !== root.epoch) return;
  await change(on, 'UPDATE notifications SET unread_epoch = 0 WHERE id = ?', [id]);
  const { seq, own_type, epoch } = root;
  const nodes = [...BLOCKS.map((span) => Math.floor(seq / span)), 0];
  await change(
    on,
    `INSERT INTO notification_counts (user_id, level, block, type, total, unread, epoch)
     VALUES ${nodes.map((_, level) => `(?, ${level}, ?, ?, 0, -1, ?)`).join(', ')}
     ON DUPLICATE KEY UPDATE total = total + VALUES(total),
       unread = CASE WHEN epoch = VALUES(epoch) THEN unread ELSE 0 END + VALUES(unread), epoch = VALUES(epoch)`,
    nodes.flatMap((block) => [userId, block, own_type, epoch]),
  );
  root.unread -= 1;
  const payload = { id, notification_id: id, ...unreadIn(rows, 'unread_count') };
  await writeEvents(on, [{ userId, type: 'notification.read', payload }], now);
}

/** How many are unread; on no connection in particular it needs no lock. */
async function unreadOf(userId: number, on?: Connection): Promise<number> {
  const rows = await select<{ is_behind: number; unread: number | null }>(
    `SELECT ${IS_BEHIND}, c.unread FROM notification_inboxes i
     LEFT JOIN notification_counts c ON c.user_id = i.user_id AND c.level = 3 AND c.block = 0
     WHERE i.user_id = ?`,
    [userId],
    on,
  );
  if (rows[0]?.is_behind !== 0) throw notMeasured('an inbox that must catch up');
  return rows.reduce((sum, { unread }) => sum + (unread ?? 0), 0);
}

async function markAll(on: Connection, userId: number, now: Date): Promise<number> {
  await lockInbox(on, userId);
  const affected = await unreadOf(userId, on);
  if (affected === 0) return 0;
  await change(
    on,
    `UPDATE notification_counts SET epoch = epoch + 1, unread = 0
     WHERE user_id = ? AND level = 3 AND block = 0 AND unread > 0`,
    [userId],
  );
  const payload = { notification_type: null, unread_count: 0, by_type: {} };
  await writeEvents(on, [{ userId, type: 'notification.all_read', payload }], now);
  return affected;
}
