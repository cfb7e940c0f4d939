import type { EntityManager } from 'typeorm';
import { deleteByPrimaryKey, placeholders } from '../../database/sql/dialect';
import { changeNotificationCounts, dropEmptyCounts } from './counts.store';
import type { LockedInbox, Target } from './locked-inbox.store';

/** Whether a notification of a locked inbox is unread. */
export const isUnread = ({ type, unread_epoch }: Target, inbox: LockedInbox): boolean =>
  unread_epoch === inbox.epochOf(type);

/** A notification to remove from a locked inbox. */
export interface Removal {
  inbox: LockedInbox;
  target: Target;
}

/** Returns those of the notifications that still exist in the locked inboxes. */
export async function findRemovals(
  em: EntityManager,
  inboxes: readonly LockedInbox[],
  notificationIds: readonly number[],
): Promise<Removal[]> {
  const rows = await em.query<(Target & { user_id: number })[]>(
    `SELECT id, user_id, type, seq, unread_epoch FROM notifications WHERE id IN (${placeholders(notificationIds)})`,
    [...notificationIds],
  );
  const byUser = Map.groupBy(rows, ({ user_id }) => user_id);
  return inboxes.flatMap((inbox) => (byUser.get(inbox.user_id) ?? []).map((target) => ({ inbox, target })));
}

/** Deletes notifications (at least one) and subtracts them from the counts. */
export async function removeNotifications(em: EntityManager, removals: readonly Removal[]): Promise<void> {
  const ids = removals.map(({ target }) => target.id);
  await em.query(`${deleteByPrimaryKey(em, 'notifications')} WHERE id IN (${placeholders(ids)})`, ids);
  const changes = removals.map(({ inbox, target }) => {
    const { type, seq } = target;
    return { inbox, type, seq, total: -1, unread: isUnread(target, inbox) ? -1 : 0 };
  });
  await changeNotificationCounts(em, changes);
  await dropEmptyCounts(
    em,
    removals.map(({ inbox, target }) => ({ user_id: inbox.user_id, seq: target.seq })),
  );
}
