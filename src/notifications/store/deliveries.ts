import { type EntityManager, In } from 'typeorm';
import type { Role } from '../../common/auth/principal';
import { inChunks } from '../../common/concurrency/chunks';
import { insertRows } from '../../database/rows';
import { changeCounts, type CountChange } from './counts';
import { type Broadcast, holdBroadcasts } from './announcement-rows';
import { InboxEntity } from '../entities/inbox.entity';
import { NotificationEntity } from '../entities/notification.entity';
import { ReceivedKeyEntity } from '../entities/received-key.entity';
import type { LockedInbox } from './locked-inbox';
import { type DatedMessage, toStoredData } from '../rules/message';

/** Finds the stored roles of some users, within the running transaction. */
export type RolesOf = (userIds: number[]) => Promise<Map<number, Role>>;

interface Delivery {
  inbox: LockedInbox;
  message: DatedMessage;
}

/** A notification that a delivery has put into an inbox. */
export type AddedNotification = Omit<NotificationEntity, 'id'>;

/**
 * Brings locked inboxes up to date: each gets the broadcasts that it has not caught up with, in the order in which
 * they were sent, and then `message`. Left out are those that were recalled, those for a role that the owner does not
 * have, and those whose dedupe key has reached the user before.
 * Returns what was added, and how many of the inboxes `message` came into.
 */
export async function writeDeliveries(
  em: EntityManager,
  inboxes: LockedInbox[],
  rolesOf: RolesOf,
  message?: DatedMessage,
): Promise<{ added: AddedNotification[]; reached: number }> {
  const { isBehind, broadcasts } = await broadcastsPendingFor(em, inboxes);
  if (!isBehind && message === undefined) return { added: [], reached: 0 };
  const roles = await rolesAskedFor(inboxes, broadcasts, rolesOf);
  const deliveries = inboxes.flatMap((inbox) => [
    ...broadcasts
      .filter(({ seq }) => seq > inbox.broadcast_id)
      .filter(({ role }) => role === null || role === roles.get(inbox.user_id))
      .map((broadcast): Delivery => ({ inbox, message: broadcast.message })),
    ...(message ? [{ inbox, message }] : []),
  ]);

  const fresh = await withoutReceivedKeys(em, deliveries);
  const added = await append(em, fresh);
  await advance(em, inboxes, fresh);
  return { added, reached: fresh.filter((delivery) => delivery.message === message).length };
}

/** In the order of sending, and none that was sent after the inboxes were read: their cursor will stand there. */
async function broadcastsPendingFor(
  em: EntityManager,
  inboxes: LockedInbox[],
): Promise<{ isBehind: boolean; broadcasts: Broadcast[] }> {
  const newest = inboxes[0]?.newest_broadcast ?? 0;
  const seen = inboxes.reduce((least, { broadcast_id }) => Math.min(least, broadcast_id), newest);
  if (seen === newest) return { isBehind: false, broadcasts: [] };
  return { isBehind: true, broadcasts: await holdBroadcasts(em, seen + 1, newest) };
}

/** The roles of the inboxes' owners, where any of the broadcasts is for a role. */
async function rolesAskedFor(
  inboxes: LockedInbox[],
  broadcasts: Broadcast[],
  rolesOf: RolesOf,
): Promise<Map<number, Role>> {
  if (broadcasts.every(({ role }) => role === null)) return new Map();
  return rolesOf(inboxes.map(({ user_id }) => user_id));
}

/** The deliveries whose key, if any, is new to the user; those keys are written down as received. */
async function withoutReceivedKeys(em: EntityManager, deliveries: Delivery[]): Promise<Delivery[]> {
  const keys = new Set(deliveries.flatMap(({ message }) => message.dedupeKey ?? []));
  if (keys.size === 0) return deliveries;

  const users = In([...new Set(deliveries.map(({ inbox }) => inbox.user_id))]);
  const received = new Set<string>();
  for (const chunk of inChunks([...keys])) {
    const known = await em.findBy(ReceivedKeyEntity, { user_id: users, dedupe_key: In(chunk) });
    for (const { user_id, dedupe_key } of known) received.add(`${user_id}:${dedupe_key}`);
  }
  const added: ReceivedKeyEntity[] = [];
  const fresh = deliveries.filter(({ inbox: { user_id }, message: { dedupeKey } }) => {
    if (dedupeKey === undefined) return true;
    const key = `${user_id}:${dedupeKey}`;
    if (received.has(key)) return false;
    received.add(key);
    added.push({ user_id, dedupe_key: dedupeKey });
    return true;
  });
  for (const chunk of inChunks(added)) await insertRows(em, ReceivedKeyEntity, chunk);
  return fresh;
}

/** Writes the notifications, each at the next position of its inbox, and counts them. */
async function append(em: EntityManager, deliveries: Delivery[]): Promise<AddedNotification[]> {
  if (deliveries.length === 0) return [];
  const rows: AddedNotification[] = [];
  const changes: CountChange[] = [];
  for (const { inbox, message } of deliveries) {
    const { type, title, content, createdAt: created_at } = message;
    inbox.last_seq += 1;
    const { user_id, last_seq: seq } = inbox;
    const data = toStoredData(message.data);
    const announcement_id = message.announcementId ?? null;
    const unread_epoch = inbox.epochOf(type);
    rows.push({ user_id, seq, type, title, content, data, unread_epoch, created_at, announcement_id });
    changes.push({ inbox, type, seq, total: 1, unread: 1 });
  }
  for (const chunk of inChunks(rows)) await insertRows(em, NotificationEntity, chunk);
  await changeCounts(em, changes);
  return rows;
}

/** Notes how far the inboxes have come: one statement for all that got the same number of notifications. */
async function advance(em: EntityManager, inboxes: LockedInbox[], deliveries: Delivery[]): Promise<void> {
  const arrivals = Map.groupBy(deliveries, ({ inbox }) => inbox.user_id);
  const byArrivals = Map.groupBy(inboxes, ({ user_id }) => arrivals.get(user_id)?.length ?? 0);
  for (const [count, group] of byArrivals) {
    const ids = group.map(({ user_id }) => user_id);
    await em.update(
      InboxEntity,
      { user_id: In(ids) },
      { last_seq: () => `last_seq + ${count}`, broadcast_id: group[0]?.newest_broadcast ?? 0 },
    );
  }
}
