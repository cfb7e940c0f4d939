import { type EntityManager, In } from 'typeorm';
import type { Role } from '../../common/auth/principal';
import { inChunks } from '../../common/concurrency/chunks';
import { insertRows } from '../../database/sql/statements';
import { changePositions, type InboxChange } from './inbox-changes.store';
import { type Broadcast, lockBroadcasts } from './announcement.store';
import { InboxEntity } from '../entities/inbox.entity';
import { NotificationEntity } from '../entities/notification.entity';
import { ReceivedKeyEntity } from '../entities/received-key.entity';
import { keyOf, typesKeptOut, type UserType } from '../../preferences/store/preferences.store';
import type { LockedInbox } from './locked-inbox.store';
import { type DatedMessage, toStoredData } from '../rules/notification-content.rules';

/** Returns the stored roles of users, read within the running transaction. */
export type RolesOf = (userIds: number[]) => Promise<Map<number, Role>>;

interface Delivery {
  inbox: LockedInbox;
  message: DatedMessage;
}

/** A notification that a delivery has added to an inbox. */
export type AddedNotification = Omit<NotificationEntity, 'id'>;

/**
 * Adds to each of the locked inboxes the broadcasts that it has not materialised, in the order in which they were sent,
 * and then `message`. Skips recalled broadcasts, those for a role that the owner does not have, messages whose dedupe key
 * has reached the user before, and those of types that the user keeps out of the inbox, unless they are critical.
 * @returns the added notifications, and the number of inboxes that received `message`
 */
export async function writeDeliveries(
  em: EntityManager,
  inboxes: LockedInbox[],
  rolesOf: RolesOf,
  message?: DatedMessage,
): Promise<{ added: AddedNotification[]; reached: number }> {
  const { isBehind, broadcasts } = await readPendingBroadcasts(em, inboxes);
  if (!isBehind && message === undefined) return { added: [], reached: 0 };
  const roles = await readRoles(inboxes, broadcasts, rolesOf);
  const deliveries = inboxes.flatMap((inbox) => [
    ...broadcasts
      .filter(({ seq }) => seq > inbox.broadcast_id)
      .filter(({ role }) => role === null || role === roles.get(inbox.user_id))
      .map((broadcast): Delivery => ({ inbox, message: broadcast.message })),
    ...(message ? [{ inbox, message }] : []),
  ]);

  const accepted = await withoutKeptOut(em, await withoutDuplicates(em, deliveries));
  const added = await insertNotifications(em, accepted);
  await advanceInboxes(em, inboxes, accepted);
  return { added, reached: accepted.filter((delivery) => delivery.message === message).length };
}

/**
 * Returns the broadcasts that the inboxes lack, in the order of sending. Those sent after the inboxes were read are
 * left out, because `advanceInboxes` sets the cursors to the newest broadcast of that time.
 */
async function readPendingBroadcasts(
  em: EntityManager,
  inboxes: LockedInbox[],
): Promise<{ isBehind: boolean; broadcasts: Broadcast[] }> {
  if (!inboxes.some(({ isBehind }) => isBehind)) return { isBehind: false, broadcasts: [] };
  const newest = inboxes[0]?.newest_broadcast ?? 0;
  const seen = inboxes.reduce((least, { broadcast_id }) => Math.min(least, broadcast_id), newest);
  return { isBehind: true, broadcasts: await lockBroadcasts(em, seen + 1, newest) };
}

/** Returns the roles of the inboxes' owners if any of the broadcasts is for a role; otherwise an empty map. */
async function readRoles(
  inboxes: LockedInbox[],
  broadcasts: Broadcast[],
  rolesOf: RolesOf,
): Promise<Map<number, Role>> {
  if (broadcasts.every(({ role }) => role === null)) return new Map();
  return rolesOf(inboxes.map(({ user_id }) => user_id));
}

/**
 * Returns the deliveries without a dedupe key, or with one that is new to the user, and stores these keys as received.
 */
async function withoutDuplicates(em: EntityManager, deliveries: Delivery[]): Promise<Delivery[]> {
  const keys = new Set(deliveries.flatMap(({ message }) => message.dedupeKey ?? []));
  if (keys.size === 0) return deliveries;

  const users = In([...new Set(deliveries.map(({ inbox }) => inbox.user_id))]);
  const received = new Set<string>();
  for (const chunk of inChunks([...keys])) {
    const rows = await em.findBy(ReceivedKeyEntity, { user_id: users, dedupe_key: In(chunk) });
    for (const { user_id, dedupe_key } of rows) received.add(`${user_id}:${dedupe_key}`);
  }
  const added: ReceivedKeyEntity[] = [];
  const accepted = deliveries.filter(({ inbox: { user_id }, message: { dedupeKey } }) => {
    if (dedupeKey === undefined) return true;
    const key = `${user_id}:${dedupeKey}`;
    if (received.has(key)) return false;
    received.add(key);
    added.push({ user_id, dedupe_key: dedupeKey });
    return true;
  });
  for (const chunk of inChunks(added)) await insertRows(em, ReceivedKeyEntity, chunk);
  return accepted;
}

/** Returns the deliveries without those of types that their user keeps out of the inbox. Their dedupe keys are used up. */
async function withoutKeptOut(em: EntityManager, deliveries: Delivery[]): Promise<Delivery[]> {
  const toType = ({ inbox: { user_id: userId }, message: { type } }: Delivery): UserType => ({
    userId,
    type,
  });
  const filtered = deliveries.filter(({ inbox, message }) => inbox.filtersTypes && message.critical !== true);
  if (filtered.length === 0) return deliveries;
  const keptOut = await typesKeptOut(em, filtered.map(toType));
  return deliveries.filter(
    (delivery) => !filtered.includes(delivery) || !keptOut.has(keyOf(toType(delivery))),
  );
}

/** Inserts the notifications, each at the next position of its inbox, and counts them. */
async function insertNotifications(em: EntityManager, deliveries: Delivery[]): Promise<AddedNotification[]> {
  if (deliveries.length === 0) return [];
  const rows: AddedNotification[] = [];
  const changes: InboxChange[] = [];
  for (const { inbox, message } of deliveries) {
    const { type, title, content, createdAt: created_at, critical = false } = message;
    inbox.last_seq += 1;
    const { user_id, last_seq: seq } = inbox;
    const data = toStoredData(message.data);
    const announcement_id = message.announcementId ?? null;
    rows.push({ user_id, seq, type, title, content, data, created_at, announcement_id, critical });
    changes.push({ inbox, type, seq, to: 'unread' });
  }
  for (const chunk of inChunks(rows)) await insertRows(em, NotificationEntity, chunk);
  await changePositions(em, changes);
  return rows;
}

/**
 * Updates the positions and broadcast cursors of inboxes: one statement for all with the same number of new
 * notifications.
 */
async function advanceInboxes(
  em: EntityManager,
  inboxes: LockedInbox[],
  deliveries: Delivery[],
): Promise<void> {
  const deliveriesByUser = Map.groupBy(deliveries, ({ inbox }) => inbox.user_id);
  const inboxesByCount = Map.groupBy(inboxes, ({ user_id }) => deliveriesByUser.get(user_id)?.length ?? 0);
  for (const [count, group] of inboxesByCount) {
    const ids = group.map(({ user_id }) => user_id);
    await em.update(
      InboxEntity,
      { user_id: In(ids) },
      { last_seq: () => `last_seq + ${count}`, broadcast_id: group[0]?.newest_broadcast ?? 0 },
    );
  }
}

/** Identifies a notification: its inbox and its position there. */
export const positionOf = ({ user_id, seq }: Pick<NotificationEntity, 'user_id' | 'seq'>): string =>
  `${user_id}:${seq}`;

/** Returns the ids that the database assigned to rows, by `positionOf`. */
export async function idsByPosition(
  em: EntityManager,
  rows: readonly AddedNotification[],
): Promise<Map<string, number>> {
  const found = await em.find(NotificationEntity, {
    select: { id: true, user_id: true, seq: true },
    where: rows.map(({ user_id, seq }) => ({ user_id, seq })),
  });
  return new Map(found.map((row) => [positionOf(row), row.id]));
}
