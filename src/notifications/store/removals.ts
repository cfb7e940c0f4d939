import { type EntityManager, In } from 'typeorm';
import { placeholders } from '../../database/dialect';
import { NotificationEntity } from '../entities/notification.entity';
import { changeCounts, dropEmptyCounts } from './counts';
import type { LockedInbox, Target } from './locked-inbox';

/** Whether a notification is unread, as its locked inbox has it. */
export const isUnread = ({ type, unread_epoch }: Target, inbox: LockedInbox): boolean =>
  unread_epoch === inbox.epochOf(type);

/** A notification of a locked inbox. */
export interface Removal {
  inbox: LockedInbox;
  target: Target;
}

/** Those of some notifications that are still there, in their locked inboxes. */
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

/** Deletes notifications, at least one, for good, and counts them out. */
export async function removeNotifications(em: EntityManager, removals: readonly Removal[]): Promise<void> {
  await em.delete(NotificationEntity, { id: In(removals.map(({ target }) => target.id)) });
  const changes = removals.map(({ inbox, target }) => {
    const { type, seq } = target;
    return { inbox, type, seq, total: -1, unread: isUnread(target, inbox) ? -1 : 0 };
  });
  await changeCounts(em, changes);
  await dropEmptyCounts(
    em,
    removals.map(({ inbox, target }) => ({ user_id: inbox.user_id, seq: target.seq })),
  );
}
