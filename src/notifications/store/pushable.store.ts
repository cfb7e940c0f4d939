import type { EntityManager } from 'typeorm';
import { inChunks } from '../../common/concurrency/chunks';
import { placeholders } from '../../database/sql/dialect';
import { ARCHIVED_BYTE, isArchived, isUnread, JOIN_BLOCK, type ReadState, UNREAD_BYTE } from './read-state';

/** A notification with the state that decides whether it is pushed. */
export interface PushableNotification {
  id: number;
  user_id: number;
  type: string;
  title: string;
  content: string;
  /** Overrides the preferences of its owner. */
  critical: boolean;
  isUnread: boolean;
  /** Also true while it is snoozed. */
  isArchived: boolean;
}

type Row = Omit<PushableNotification, 'critical' | 'isUnread' | 'isArchived'> &
  ReadState & { critical: boolean | number; archived_byte: string | null; epoch: number | null };

/** Returns notifications with their current state, by id. Deleted ones are absent. */
export async function findForPush(
  em: EntityManager,
  ids: readonly number[],
): Promise<Map<number, PushableNotification>> {
  const found = new Map<number, PushableNotification>();
  for (const chunk of inChunks([...ids])) {
    const rows = await em.query<Row[]>(
      `SELECT n.id, n.user_id, n.type, n.title, n.content, n.critical, n.seq, c.epoch, b.version,
         ${UNREAD_BYTE} AS unread_byte, ${ARCHIVED_BYTE} AS archived_byte
       FROM notifications n
       LEFT JOIN notification_types c ON c.user_id = n.user_id AND c.type = n.type
       ${JOIN_BLOCK}
       WHERE n.id IN (${placeholders(chunk)})`,
      chunk,
    );
    for (const row of rows) {
      const { id, user_id, type, title, content } = row;
      found.set(id, {
        id,
        user_id,
        type,
        title,
        content,
        critical: Boolean(row.critical),
        isUnread: row.epoch !== null && isUnread(row, row.epoch),
        isArchived: isArchived(row),
      });
    }
  }
  return found;
}
