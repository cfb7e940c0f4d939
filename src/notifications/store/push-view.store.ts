import type { EntityManager } from 'typeorm';
import { placeholders } from '../../database/sql/dialect';
import { isUnread, JOIN_BLOCK, type ReadState, UNREAD_BYTE } from './read-state';

/** A notification as it is pushed. */
export interface NotificationForPush {
  id: number;
  type: string;
  title: string;
  content: string;
  critical: boolean;
  /** Whether it is unread, and so shown. */
  isShown: boolean;
}

type Row = Omit<NotificationForPush, 'critical' | 'isShown'> & ReadState & { epoch: number | null };

/** Returns notifications with their read state, by id. Deleted ones are missing. */
export async function notificationsForPush(
  em: EntityManager,
  ids: readonly number[],
): Promise<Map<number, NotificationForPush>> {
  const rows = await em.query<Row[]>(
    `SELECT n.id, n.type, n.title, n.content, n.seq, b.version, ${UNREAD_BYTE} AS unread_byte, t.epoch
     FROM notifications n ${JOIN_BLOCK}
     LEFT JOIN notification_types t ON t.user_id = n.user_id AND t.type = n.type
     WHERE n.id IN (${placeholders(ids)})`,
    [...ids],
  );
  return new Map(
    rows.map((row) => {
      const { type, title, content } = row;
      const id = Number(row.id);
      const state = { ...row, seq: Number(row.seq) };
      return [
        id,
        { id, type, title, content, critical: false, isShown: isUnread(state, Number(row.epoch ?? 0)) },
      ];
    }),
  );
}
