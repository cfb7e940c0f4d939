import type { EntityManager } from 'typeorm';
import { insertIgnore, placeholders, toSqlTimestamp, tuples } from '../../database/sql/dialect';
import { affectedBy, lockRows, queryRows, updateRows } from '../../database/sql/statements';
import { PushFanoutEntity } from '../entities/push-fanout.entity';
import type { PushTargetEntity } from '../entities/push-target.entity';
import { EXPIRY_MS } from '../../people/rules/presence-state.rules';
import { HAS_SESSION, IS_USABLE } from './push-target.store';

/* Reads the targets and users that receive pushes. */

/** Sender of an audience of messages of several senders: no user has this id. */
export const SEVERAL_SENDERS = 0;

/** A target whose row allows pushes. */
export type Addressee = Pick<PushTargetEntity, 'id' | 'user_id' | 'kind' | 'terminal_id'> & {
  /** 1 or 0. */
  responsive: number;
};

const COLUMNS = 't.id, t.user_id, t.kind, t.terminal_id, t.responsive';

/** Returns the targets of users that may receive pushes. */
export async function addresseesOf(
  em: EntityManager,
  userIds: readonly number[],
  now: Date,
): Promise<Addressee[]> {
  if (userIds.length === 0) return [];
  return em.query<Addressee[]>(
    `SELECT ${COLUMNS} FROM push_targets t
     WHERE t.user_id IN (${placeholders(userIds)}) AND ${IS_USABLE} AND ${HAS_SESSION}`,
    [...userIds, toSqlTimestamp(em, now), toSqlTimestamp(em, now)],
  );
}

/** Returns the targets of the members of conversations that are not muted, by conversation; not of large groups. */
export async function memberAddressees(
  em: EntityManager,
  conversationIds: readonly number[],
  now: Date,
): Promise<(Addressee & { conversation_id: number })[]> {
  const at = toSqlTimestamp(em, now);
  return em.query<(Addressee & { conversation_id: number })[]>(
    `SELECT m.conversation_id, ${COLUMNS} FROM conversation_members m
     JOIN push_targets t ON t.user_id = m.user_id
     WHERE m.conversation_id IN (${placeholders(conversationIds)}) AND m.pulled = 0
       AND (m.muted = 0 OR m.mute_until <= ?) AND t.kind <> 'apns_voip' AND ${IS_USABLE}`,
    [...conversationIds, at, at],
  );
}

/** Returns those of the conversations that are large groups. */
export async function largeGroupsAmong(em: EntityManager, ids: readonly number[]): Promise<Set<number>> {
  const rows = await em.query<{ id: number }[]>(
    `SELECT id FROM conversations WHERE id IN (${placeholders(ids)}) AND pulled = 1`,
    [...ids],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Returns those of the users that have an open event stream. */
export async function usersWithStreams(
  em: EntityManager,
  userIds: readonly number[],
  now: Date,
): Promise<Set<number>> {
  if (userIds.length === 0) return new Set();
  const rows = await em.query<{ user_id: number }[]>(
    `SELECT s.user_id FROM presence_streams s JOIN instances i ON i.id = s.instance_id
     WHERE s.user_id IN (${placeholders(userIds)}) AND s.until IS NULL AND i.renewed_at > ?`,
    [...userIds, toSqlTimestamp(em, new Date(now.getTime() - EXPIRY_MS))],
  );
  return new Set(rows.map(({ user_id }) => user_id));
}

/** A large audience that is not queued yet. */
export type NewFanout = Omit<PushFanoutEntity, 'id' | 'after_id'>;

/**
 * Adds messages to audiences of their conversations that no instance has begun, and returns the others. Pushes contain
 * the newest message when they are sent, so one audience serves all messages until then.
 */
export async function mergeFanouts(em: EntityManager, rows: readonly NewFanout[]): Promise<NewFanout[]> {
  if (rows.length === 0) return [];
  const objectIds = rows.map(({ object_id }) => object_id);
  const waiting = await lockRows(em, PushFanoutEntity, { after_id: 0, object_id: objectIds });
  const byConversation = new Map(waiting.map((fanout) => [fanout.object_id, fanout]));
  for (const { object_id, sender_id } of rows) {
    const fanout = byConversation.get(object_id);
    if (fanout !== undefined && fanout.sender_id !== sender_id)
      await updateRows(em, PushFanoutEntity, { id: fanout.id }, { sender_id: SEVERAL_SENDERS });
  }
  return rows.filter(({ object_id }) => !byConversation.has(object_id));
}

/** Stores large audiences, each once. */
export async function insertFanouts(em: EntityManager, rows: readonly NewFanout[]): Promise<void> {
  if (rows.length === 0) return;
  await em.query(
    `${insertIgnore(em)} INTO push_fanouts (event_id, type, object_id, sender_id, after_id, created_at)
     VALUES ${tuples(rows, '?, ?, ?, ?, 0, ?')}`,
    rows.flatMap(({ event_id, type, object_id, sender_id, created_at }) => [
      event_id,
      type,
      object_id,
      sender_id,
      toSqlTimestamp(em, created_at),
    ]),
  );
}

/** Returns the oldest large audience of a type, otherwise the oldest; undefined if there is none. */
export async function nextFanout(
  em: EntityManager,
  type: PushFanoutEntity['type'],
): Promise<PushFanoutEntity | undefined> {
  const [row] = await queryRows(
    em,
    PushFanoutEntity,
    'SELECT * FROM push_fanouts ORDER BY CASE WHEN type = ? THEN 0 ELSE 1 END, id LIMIT 1',
    [type],
  );
  return row;
}

/**
 * Advances an audience, or deletes it, on condition that no other instance has changed it since it was read.
 * @param to the last user; undefined: all users are done
 * @returns whether it was advanced
 */
export async function advanceFanout(
  em: EntityManager,
  { id, after_id, sender_id }: PushFanoutEntity,
  to: number | undefined,
): Promise<boolean> {
  // A message of another sender may have joined it, for which the sender that was read is to be notified as well.
  const isUnchanged = 'id = ? AND after_id = ? AND COALESCE(sender_id, 0) = ?';
  const unchanged = [id, after_id, sender_id ?? SEVERAL_SENDERS];
  const changed =
    to === undefined
      ? await affectedBy(em, `DELETE FROM push_fanouts WHERE ${isUnchanged}`, unchanged)
      : await affectedBy(em, `UPDATE push_fanouts SET after_id = ? WHERE ${isUnchanged}`, [to, ...unchanged]);
  return changed > 0;
}

/** Returns the next users with targets, in the order of their ids. */
export async function nextUsersWithTargets(
  em: EntityManager,
  after: number,
  limit: number,
): Promise<number[]> {
  const rows = await em.query<{ user_id: number }[]>(
    'SELECT DISTINCT user_id FROM push_targets WHERE user_id > ? ORDER BY user_id LIMIT ?',
    [after, limit],
  );
  return rows.map(({ user_id }) => user_id);
}

/** Returns the next members of a large group that are not muted, in the order of their ids. */
export async function nextMembers(
  em: EntityManager,
  { object_id, after_id, sender_id }: PushFanoutEntity,
  { now, limit }: { now: Date; limit: number },
): Promise<number[]> {
  const rows = await em.query<{ user_id: number }[]>(
    `SELECT m.user_id FROM conversation_members m WHERE m.conversation_id = ? AND m.user_id > ? AND m.user_id <> ?
       AND (m.muted = 0 OR m.mute_until <= ?)
       AND EXISTS (SELECT 1 FROM push_targets t WHERE t.user_id = m.user_id)
     ORDER BY m.user_id LIMIT ?`,
    [object_id, after_id, sender_id, toSqlTimestamp(em, now), limit],
  );
  return rows.map(({ user_id }) => user_id);
}
