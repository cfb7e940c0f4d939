import { Between, type EntityManager, In } from 'typeorm';
import { inChunks } from '../../common/concurrency/chunks';
import { insertRows } from '../../database/rows';
import { changeCounts, type CountChange } from './counts';
import { BroadcastEntity } from '../entities/broadcast.entity';
import { InboxEntity } from '../entities/inbox.entity';
import { NotificationEntity } from '../entities/notification.entity';
import { ReceivedKeyEntity } from '../entities/received-key.entity';
import type { LockedInbox } from './locked-inbox';
import { dataOf, type Message, toStoredData } from '../rules/message';

/** A message on its way into the inboxes, with the time that its notifications show. */
export type DatedMessage = Message & { createdAt: Date };

interface Delivery {
  inbox: LockedInbox;
  message: DatedMessage;
}

/** A notification that a delivery has put into an inbox. */
export type AddedNotification = Omit<NotificationEntity, 'id'>;

/**
 * Brings locked inboxes up to date: each gets the broadcasts that it has not caught up with, in the order in which
 * they were sent, and then `message`. Those whose dedupe key has reached the user before are left out.
 * Returns what was added, and how many of the inboxes `message` came into.
 */
export async function writeDeliveries(
  em: EntityManager,
  inboxes: LockedInbox[],
  message?: DatedMessage,
): Promise<{ added: AddedNotification[]; reached: number }> {
  const broadcasts = await broadcastsPendingFor(em, inboxes);
  const deliveries = inboxes.flatMap((inbox) => [
    ...broadcasts
      .filter(({ id }) => id > inbox.broadcast_id)
      .map((broadcast): Delivery => ({ inbox, message: messageOf(broadcast) })),
    ...(message ? [{ inbox, message }] : []),
  ]);
  if (deliveries.length === 0) return { added: [], reached: 0 };

  const fresh = await withoutReceivedKeys(em, deliveries);
  const added = await append(em, fresh);
  await advance(em, inboxes, fresh);
  return { added, reached: fresh.filter((delivery) => delivery.message === message).length };
}

/** In the order of sending, and none that was sent after the inboxes were read: their cursor will stand there. */
async function broadcastsPendingFor(em: EntityManager, inboxes: LockedInbox[]): Promise<BroadcastEntity[]> {
  const newest = inboxes[0]?.newest_broadcast ?? 0;
  const seen = inboxes.reduce((least, { broadcast_id }) => Math.min(least, broadcast_id), newest);
  if (seen === newest) return [];
  return em.find(BroadcastEntity, { where: { id: Between(seen + 1, newest) }, order: { id: 'ASC' } });
}

const messageOf = ({
  type,
  title,
  content,
  dedupe_key,
  created_at,
  data,
}: BroadcastEntity): DatedMessage => ({
  type,
  title,
  content,
  dedupeKey: dedupe_key ?? undefined,
  createdAt: created_at,
  data: dataOf(data) ?? undefined,
});

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
    rows.push({ user_id, seq, type, title, content, data, unread_epoch: inbox.epochOf(type), created_at });
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
