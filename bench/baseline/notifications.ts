import type { FastifyInstance } from 'fastify';
import { changeAtOnce, select } from './database';
import { callerOf, NO_EVENTS, ok, pageOf, pathId, HttpError } from './http';
import { pageOfInbox } from './inbox-pages';

/** Routes of the unread count, the pages, and marking one or all as read. Each runs one statement. */
export function notifications(server: FastifyInstance): void {
  server.get('/api/notifications/unread-count', async (request, reply) => {
    const rows = await select<{ type: string; unread: number }>(
      `SELECT l.type, l.unread FROM inbox_lists i JOIN inbox_lists l ON l.user_id = i.user_id
       WHERE i.user_id = ? AND i.type = '' AND l.epoch = i.epoch AND l.unread > 0`,
      [callerOf(request).id],
    );
    void reply.headers(NO_EVENTS);
    return ok(reply, {
      count: rows.find(({ type }) => type === '')?.unread ?? 0,
      by_type: Object.fromEntries(
        rows.filter(({ type }) => type !== '').map(({ type, unread }) => [type, unread]),
      ),
    });
  });

  server.get('/api/notifications', async (request, reply) => {
    const { type, is_read } = request.query as { type?: string; is_read?: string };
    if (is_read !== undefined && is_read !== '0' && is_read !== '1')
      throw new HttpError(422, 422, 'is_read 取值无效');
    const page = pageOf(request, 15);
    const response = await pageOfInbox(callerOf(request).id, {
      ...page,
      type,
      isRead: is_read === undefined ? undefined : is_read === '1',
    });
    void reply.header('X-Total-Count', response.total);
    return ok(reply, response);
  });

  server.put('/api/notifications/:id/read', async (request, reply) => {
    const { id: userId } = callerOf(request);
    await markRead(userId, pathId(request, 'id'));
    return ok(reply, null, '标记成功');
  });

  server.put('/api/notifications/all/read', async (request, reply) =>
    ok(reply, { affected: await markAll(callerOf(request).id) }),
  );
}

/** SQL expression of a list's bitmap with the bit of one position cleared. */
function without(bits: string, position: string): string {
  const byte = `(${position} - 1) DIV 8 + 1`;
  const left = `ORD(SUBSTRING(${bits}, ${byte}, 1)) & ~(1 << (${position} - 1) % 8)`;
  return `INSERT(${bits}, ${byte}, 1, CHAR(${left} USING binary))`;
}

const MARK_READ = `UPDATE notifications n
  JOIN inbox_lists i ON i.user_id = n.user_id AND i.type = ''
  JOIN inbox_lists l ON l.user_id = n.user_id AND l.type = n.type
  SET n.unread_epoch = 0,
    i.unread = i.unread - 1, i.unread_bits = ${without('i.unread_bits', 'n.seq')},
    l.unread = l.unread - 1, l.unread_bits = ${without('l.unread_bits', 'n.type_seq')}
  WHERE n.id = ? AND n.user_id = ? AND n.unread_epoch = i.epoch`;

async function markRead(userId: number, id: number): Promise<void> {
  const { affectedRows } = await changeAtOnce(MARK_READ, [id, userId]);
  if (affectedRows > 0) return;
  const known = await select('SELECT 1 FROM notifications WHERE id = ? AND user_id = ?', [id, userId]);
  if (known.length === 0) throw new HttpError(404, 404, '通知不存在');
}

/** Starts a new epoch and returns its number, which the database sends in its OK packet. */
async function markAll(userId: number): Promise<number> {
  const { insertId } = await changeAtOnce(
    `UPDATE inbox_lists SET epoch = epoch + 1, unread = LAST_INSERT_ID(unread) * 0, unread_bits = ''
     WHERE user_id = ? AND type = '' AND unread > 0`,
    [userId],
  );
  return insertId;
}
