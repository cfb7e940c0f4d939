import type { EntityManager } from 'typeorm';
import type { NotificationId } from '../../common/ids';
import { inChunks } from '../../common/concurrency/chunks';
import { insertIgnore, placeholders, tuples } from '../../database/sql/dialect';
import { findRows, updateRows } from '../../database/sql/statements';
import type { User } from '../../identity/users.service';
import { InboxEntity } from '../entities/inbox.entity';
import { NotificationEntity } from '../entities/notification.entity';
import { lastBroadcastUpTo } from './announcement.store';

/** The owner of an inbox. */
type Owner = Pick<User, 'id' | 'createdAt'>;

/** Returns an existing notification. */
export async function notificationById(em: EntityManager, id: NotificationId): Promise<NotificationEntity> {
  const [notification] = await findRows(em, NotificationEntity, { id });
  return notification as NotificationEntity;
}

/**
 * Opens the inboxes of users that have none yet. An inbox does not receive broadcasts that were sent before the user
 * was created, or in the same millisecond; `AnnouncementWriter.broadcast` contains the other half of this rule.
 */
export async function ensureInboxes(em: EntityManager, owners: Owner[]): Promise<void> {
  for (const chunk of inChunks(owners)) {
    // Check first: an ignored INSERT would wait for a transaction that has the inbox locked.
    const existing = await findRows(em, InboxEntity, { user_id: chunk.map(({ id }) => id) }, ['user_id']);
    const ownerIds = new Set(existing.map(({ user_id }) => user_id));
    const missing = chunk.filter(({ id }) => !ownerIds.has(id));
    if (missing.length > 0) await insertInboxes(em, missing);
  }
}

/** Inserts inboxes. Those that a concurrent request has opened meanwhile are not changed. */
async function insertInboxes(em: EntityManager, owners: Owner[]): Promise<void> {
  const moments = new Map(owners.map(({ createdAt }) => [createdAt.getTime(), createdAt]));
  const lastBefore = new Map<number, number>();
  for (const [time, moment] of moments) lastBefore.set(time, await lastBroadcastUpTo(em, moment));
  await em.query(
    `${insertIgnore(em)} INTO notification_inboxes (user_id, last_seq, version, broadcast_id)
     VALUES ${tuples(owners, '?, 0, 0, ?')}`,
    owners.flatMap(({ id, createdAt }) => [id, lastBefore.get(createdAt.getTime()) ?? 0]),
  );
}

/** Returns those of the users whose inboxes have materialised a broadcast, or do not receive it. */
export async function inboxesWithBroadcast(
  em: EntityManager,
  userIds: readonly number[],
  broadcast: number,
): Promise<Set<number>> {
  const rows = await em.query<{ user_id: number | string }[]>(
    `SELECT user_id FROM notification_inboxes WHERE user_id IN (${placeholders(userIds)}) AND broadcast_id >= ?`,
    [...userIds, broadcast],
  );
  return new Set(rows.map(({ user_id }) => Number(user_id)));
}

/** Returns the next owners of inboxes, in ascending order. */
export async function ownersAfter(em: EntityManager, userId: number, limit: number): Promise<number[]> {
  const rows = await em.query<{ user_id: number | string }[]>(
    'SELECT user_id FROM notification_inboxes WHERE user_id > ? ORDER BY user_id LIMIT ?',
    [userId, limit],
  );
  return rows.map(({ user_id }) => Number(user_id));
}

/** Returns the highest position in use in an inbox; 0 if it is empty. */
export async function highestPosition(em: EntityManager, user_id: number): Promise<number> {
  return (await em.maximum(NotificationEntity, 'seq', { user_id })) ?? 0;
}

/** Sets the last assigned position of a locked inbox. */
export async function setLastPosition(em: EntityManager, user_id: number, last_seq: number): Promise<void> {
  await updateRows(em, InboxEntity, { user_id }, { last_seq });
}
