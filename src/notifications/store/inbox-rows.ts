import { type EntityManager, In } from 'typeorm';
import type { NotificationId } from '../../common/ids';
import { inChunks } from '../../common/concurrency/chunks';
import { byPrimaryKey, placeholders } from '../../database/dialect';
import { affectedBy } from '../../database/rows';
import { joined } from '../../database/shared/joined';
import type { User } from '../../identity/users.service';
import { InboxEntity } from '../entities/inbox.entity';
import { lastBroadcastUpTo } from './announcement-rows';
import { READ } from './counts';

/** Whose inbox it is. */
type Owner = Pick<User, 'id' | 'createdAt'>;

/** Holds the inboxes of some users until the commit, by raising their versions; answers how many there were. */
export async function lockInboxes(em: EntityManager, userIds: number[]): Promise<number> {
  const among = placeholders(userIds);
  return affectedBy(
    em,
    `UPDATE notification_inboxes ${byPrimaryKey(em)} SET version = version + 1 WHERE user_id IN (${among})`,
    userIds,
  );
}

/** Notes a notification of a locked inbox as read. */
export const noteRead = joined('inboxes: note read', async (em, ids: readonly NotificationId[]) => {
  await em.query(
    `UPDATE notifications ${byPrimaryKey(em)} SET unread_epoch = ${READ} WHERE id IN (${placeholders(ids)})`,
    [...ids],
  );
});

/**
 * Opens the inboxes of those users that have none yet. The broadcasts sent before a user existed, or at the very
 * millisecond of its creation, are none of its business: see `Announcing` for the other half of the rule.
 */
export async function ensureInboxes(em: EntityManager, owners: Owner[]): Promise<void> {
  for (const chunk of inChunks(owners)) {
    // Asked for first: an insert that is ignored would wait for whoever has the inbox locked.
    const present = await em.find(InboxEntity, {
      select: { user_id: true },
      where: { user_id: In(chunk.map(({ id }) => id)) },
    });
    const known = new Set(present.map(({ user_id }) => user_id));
    const missing = chunk.filter(({ id }) => !known.has(id));
    if (missing.length > 0) await insertInboxes(em, missing);
  }
}

/** Another request may be opening the same inboxes: those that are there by now stay as they are. */
async function insertInboxes(em: EntityManager, owners: Owner[]): Promise<void> {
  const moments = new Map(owners.map(({ createdAt }) => [createdAt.getTime(), createdAt]));
  const lastBefore = new Map<number, number>();
  for (const [time, moment] of moments) lastBefore.set(time, await lastBroadcastUpTo(em, moment));
  const inboxes = owners.map(({ id, createdAt }) => ({
    user_id: id,
    last_seq: 0,
    version: 0,
    broadcast_id: lastBefore.get(createdAt.getTime()) ?? 0,
  }));
  await em
    .createQueryBuilder()
    .insert()
    .into(InboxEntity)
    .values(inboxes)
    .orIgnore()
    .updateEntity(false)
    .execute();
}
