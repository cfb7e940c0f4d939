import type { EntityManager } from 'typeorm';
import { deleteByPrimaryKey, placeholders } from '../../database/sql/dialect';
import { changePositions, readBlocksOf } from './inbox-changes.store';
import type { LockedInbox, LockedNotification, Target } from './locked-inbox.store';
import { deleteSnoozes } from './snoozes.store';

/** Returns those of the notifications that still exist in the locked inboxes. */
export async function findRemovals(
  em: EntityManager,
  inboxes: readonly LockedInbox[],
  notificationIds: readonly number[],
): Promise<LockedNotification[]> {
  const rows = await em.query<(Target & { user_id: number })[]>(
    `SELECT id, user_id, type, seq FROM notifications WHERE id IN (${placeholders(notificationIds)})`,
    [...notificationIds],
  );
  const byUser = Map.groupBy(rows, ({ user_id }) => user_id);
  return inboxes.flatMap((inbox) =>
    (byUser.get(inbox.user_id) ?? []).map(({ id, type, seq }) => ({ inbox, id, type, seq })),
  );
}

/** Deletes notifications (at least one) and their snoozes, and removes them from the inbox maps. */
export async function removeNotifications(
  em: EntityManager,
  removals: readonly LockedNotification[],
): Promise<void> {
  await readBlocksOf(em, removals);
  const archived = removals.filter((removal) => removal.inbox.isArchived(removal));
  if (archived.length > 0)
    await deleteSnoozes(
      em,
      archived.map(({ id }) => id),
    );
  const ids = removals.map(({ id }) => id);
  const changes = removals.map((removal) => ({ ...removal, to: 'deleted' as const }));
  await Promise.all([
    em.query(`${deleteByPrimaryKey(em, 'notifications')} WHERE id IN (${placeholders(ids)})`, ids),
    changePositions(em, changes),
  ]);
}
