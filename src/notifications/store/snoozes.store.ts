import type { EntityManager } from 'typeorm';
import type { NotificationId } from '../../common/ids';
import { excluded, onConflictUpdate, placeholders, toSqlTimestamp } from '../../database/sql/dialect';
import { deleteRows, findRows } from '../../database/sql/statements';
import { NotificationSnoozeEntity } from '../entities/notification-snooze.entity';
import { NotificationEntity } from '../entities/notification.entity';

/** A snooze that has ended. */
export type EndedSnooze = Pick<NotificationSnoozeEntity, 'notification_id' | 'user_id'>;

/** Stores when a notification of a locked inbox comes back. */
export async function storeSnooze(
  em: EntityManager,
  { notification_id, user_id, due_at }: NotificationSnoozeEntity,
): Promise<void> {
  await em.query(
    `INSERT INTO notification_snoozes (notification_id, user_id, due_at) VALUES (?, ?, ?)
     ${onConflictUpdate(em, ['notification_id'], `due_at = ${excluded(em, 'due_at')}`)}`,
    [notification_id, user_id, toSqlTimestamp(em, due_at)],
  );
}

/** Returns when a notification comes back; null if it is not snoozed. */
export async function findSnooze(em: EntityManager, notification_id: NotificationId): Promise<Date | null> {
  const [row] = await findRows(em, NotificationSnoozeEntity, { notification_id });
  return row?.due_at ?? null;
}

/** Deletes the snoozes of notifications (at least one) of locked inboxes. Returns their number. */
export function deleteSnoozes(em: EntityManager, ids: readonly number[]): Promise<number> {
  return deleteRows(em, NotificationSnoozeEntity, { notification_id: ids });
}

/** Returns at most `limit` snoozes that have ended, the earliest first. */
export function endedSnoozes(em: EntityManager, now: Date, limit: number): Promise<EndedSnooze[]> {
  return em.query<EndedSnooze[]>(
    'SELECT notification_id, user_id FROM notification_snoozes WHERE due_at <= ? ORDER BY due_at LIMIT ?',
    [toSqlTimestamp(em, now), limit],
  );
}

/**
 * Returns those of the notifications whose snoozes still exist and have ended. Their inboxes must be locked: then no
 * other instance ends them too, and no request changes them.
 */
export async function stillEnded(em: EntityManager, ids: readonly number[], now: Date): Promise<number[]> {
  const rows = await em.query<EndedSnooze[]>(
    `SELECT notification_id FROM notification_snoozes
     WHERE notification_id IN (${placeholders(ids)}) AND due_at <= ?`,
    [...ids, toSqlTimestamp(em, now)],
  );
  return rows.map(({ notification_id }) => notification_id);
}

/** Returns notifications by id. */
export async function notificationsByIds(
  em: EntityManager,
  ids: readonly number[],
): Promise<Map<number, NotificationEntity>> {
  const rows = await findRows(em, NotificationEntity, { id: ids });
  return new Map(rows.map((row) => [row.id, row]));
}
