import { select, type Value } from './database';
import type { Page } from './http';
import { type InboxList, positions } from './unread-bits';

/*
 * A page of an inbox. Positions in an inbox have no gaps, so a page is a range that the same statement computes from
 * the total. For pages filtered by read state, the positions are found in the list's bitmap first. The statement has no
 * ORDER BY: after an outer join, the database would copy and sort rows that are in order already.
 */

export interface InboxQuery extends Page {
  type?: string;
  isRead?: boolean;
}

interface Notification {
  position: number;
  id: number;
  type: string;
  title: string;
  content: string;
  is_unread: number;
  created_at: Date;
  data: string | null;
}

const COLUMNS =
  'n.id, n.type, n.title, n.content, n.unread_epoch = i.epoch AS is_unread, n.created_at, n.data';

export async function pageOfInbox(userId: number, query: InboxQuery) {
  const { page, per_page, type = '', isRead } = query;
  const skip = (page - 1) * per_page;
  const { total, rows } =
    isRead === undefined
      ? await range(userId, type, skip, per_page)
      : await filtered(userId, type, isRead, skip, per_page);
  return {
    list: rows.toSorted((a, b) => b.position - a.position).map(toItem),
    total,
    per_page,
    current_page: page,
    last_page: Math.max(1, Math.ceil(total / per_page)),
  };
}

const toItem = ({ id, type, title, content, is_unread, created_at, data }: Notification) => ({
  id,
  type,
  title,
  content,
  is_read: is_unread === 1 ? 0 : 1,
  // The baseline archives and snoozes nothing.
  archived: 0,
  snooze_until: null,
  created_at: created_at.toISOString(),
  data: data === null ? null : (JSON.parse(data) as object),
});

/** Returns the column that numbers a list, and the additional condition on its rows. */
const positionIn = (type: string): { position: string; condition: string; values: Value[] } =>
  type === ''
    ? { position: 'n.seq', condition: '', values: [] }
    : { position: 'n.type_seq', condition: 'AND n.type = ?', values: [type] };

async function range(userId: number, type: string, skip: number, take: number) {
  const { position, condition, values } = positionIn(type);
  const found = await select<Notification & { total: number }>(
    `SELECT l.total, ${position} AS position, ${COLUMNS} FROM inbox_lists i
     JOIN inbox_lists l ON l.user_id = ? AND l.type = ?
     LEFT JOIN notifications n ON n.user_id = ? ${condition}
       AND ${position} > l.total - ? AND ${position} <= l.total - ?
     WHERE i.user_id = ? AND i.type = ''`,
    [userId, type, userId, ...values, skip + take, skip, userId],
  );
  return { total: found[0]?.total ?? 0, rows: found.filter(({ id }) => id !== null) };
}

async function filtered(userId: number, type: string, isRead: boolean, skip: number, take: number) {
  const [list] = await select<InboxList & { unread: number }>(
    `SELECT l.total, IF(l.epoch = i.epoch, l.unread, 0) AS unread, IF(l.epoch = i.epoch, l.unread_bits, '') AS bits
     FROM inbox_lists i JOIN inbox_lists l ON l.user_id = ? AND l.type = ? WHERE i.user_id = ? AND i.type = ''`,
    [userId, type, userId],
  );
  if (list === undefined) return { total: 0, rows: [] };
  const wanted = positions(list, isRead, skip, take);
  const { position, condition, values } = positionIn(type);
  const rows =
    wanted.length === 0
      ? []
      : await select<Notification>(
          `SELECT ${position} AS position, ${COLUMNS} FROM inbox_lists i JOIN notifications n ON n.user_id = ? ${condition}
             AND ${position} IN (${wanted.map(() => '?').join(', ')})
           WHERE i.user_id = ? AND i.type = ''`,
          [userId, ...values, ...wanted, userId],
        );
  return { total: isRead ? list.total - list.unread : list.unread, rows };
}
