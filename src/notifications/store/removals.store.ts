import type { EntityManager } from 'typeorm';
import { deleteByPrimaryKey, placeholders } from '../../database/sql/dialect';
import { changePositions, readBlocksOf } from './inbox-changes.store';
import type { LockedInbox, Target } from './locked-inbox.store';
import { deleteSnoozes } from './snoozes.store';

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
    `SELECT id, user_id, type, seq FROM notifications WHERE id IN (${placeholders(notificationIds)})`,
    [...notificationIds],
  );
  const byUser = Map.groupBy(rows, ({ user_id }) => user_id);
  return inboxes.flatMap((inbox) => (byUser.get(inbox.user_id) ?? []).map((target) => ({ inbox, target })));
}

/** Deletes notifications (at least one) and their snoozes, and removes them from the inbox maps. */
export async function removeNotifications(em: EntityManager, removals: readonly Removal[]): Promise<void> {
  await readBlocksOf(
    em,
    removals.map(({ inbox, target: { seq } }) => ({ inbox, seq })),
  );
  const archived = removals.filter(({ inbox, target }) => inbox.isArchived(target));
  if (archived.length > 0)
    await deleteSnoozes(
      em,
      archived.map(({ target }) => target.id),
    );
  const ids = removals.map(({ target }) => target.id);
  const changes = removals.map(({ inbox, target: { type, seq } }) => ({
    inbox,
    type,
    seq,
    to: 'deleted' as const,
  }));
  await Promise.all([
    em.query(`${deleteByPrimaryKey(em, 'notifications')} WHERE id IN (${placeholders(ids)})`, ids),
    changePositions(em, changes),
  ]);
}
