import type { EntityManager } from 'typeorm';
import {
  excluded,
  onConflictUpdate,
  placeholders,
  type RawTimestamp,
  type SqlPart,
  toDate,
  toSqlTimestamp,
  tuples,
} from '../../database/sql/dialect';
import { EXPIRY_MS, GRACE_MS, type Presence, presenceOf, type Span } from '../rules/presence-state.rules';

/* Reads and marks presence. */

interface StateRow {
  user_id: number;
  last_seen_at: RawTimestamp | null;
  instance_id: string | null;
  until: RawTimestamp | null;
  renewed_at: RawTimestamp | null;
}

const timeOf = (moment: RawTimestamp | null): number | null =>
  moment === null ? null : toDate(moment).getTime();

/** Returns the presence of these users, regardless of visibility. Users without presence rows are missing. */
export async function presencesOf(
  em: EntityManager,
  userIds: readonly number[],
  now: number,
): Promise<Map<number, Presence>> {
  if (userIds.length === 0) return new Map();
  const rows = await em.query<StateRow[]>(
    `SELECT p.user_id, p.last_seen_at, s.instance_id, s.until, i.renewed_at FROM presence p
     LEFT JOIN presence_streams s ON s.user_id = p.user_id
     LEFT JOIN instances i ON i.id = s.instance_id
     WHERE p.user_id IN (${placeholders(userIds)})`,
    [...userIds],
  );
  const byUser = Map.groupBy(rows, ({ user_id }) => user_id);
  return new Map(
    Array.from(byUser, ([userId, userRows]) => {
      const spans = userRows
        .filter(({ instance_id }) => instance_id !== null)
        .map(({ until, renewed_at }): Span => ({ until: timeOf(until), renewedAt: timeOf(renewed_at) }));
      return [userId, presenceOf(spans, timeOf(userRows[0]?.last_seen_at ?? null), now)];
    }),
  );
}

/** Returns a SELECT of the ids of the users who are online, regardless of visibility: the SQL form of `presenceOf`. */
export const onlineUsers = (em: EntityManager, now: number): SqlPart => ({
  sql: `SELECT s.user_id FROM presence_streams s LEFT JOIN instances i ON i.id = s.instance_id
    WHERE (s.until IS NULL AND i.renewed_at > ?) OR s.until > ?`,
  parameters: [now - EXPIRY_MS, now - GRACE_MS].map((moment) => toSqlTimestamp(em, new Date(moment))),
});

/** Returns those of `userIds` who let others see their presence. */
export async function showingAmong(em: EntityManager, userIds: readonly number[]): Promise<Set<number>> {
  if (userIds.length === 0) return new Set();
  const rows = await em.query<{ id: number }[]>(
    `SELECT id FROM users WHERE presence_visible = 1 AND id IN (${placeholders(userIds)})`,
    [...userIds],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Returns the users changed since a time, with the version of the change. */
export async function changedSince(
  em: EntityManager,
  since: Date,
): Promise<[userId: number, version: number][]> {
  const rows = await em.query<{ user_id: number; version: number }[]>(
    'SELECT user_id, version FROM presence WHERE changed_at >= ?',
    [toSqlTimestamp(em, since)],
  );
  return rows.map(({ user_id, version }) => [user_id, version]);
}

/** A user whose presence may have changed, and when the last stream closed, if known. */
export interface Change {
  userId: number;
  lastSeenAt: Date | null;
}

/**
 * Stores at least one change, in ascending order of user id, so that concurrent transactions lock rows in the same
 * order.
 */
export async function noteChanges(em: EntityManager, changes: readonly Change[], now: Date): Promise<void> {
  const seen = excluded(em, 'last_seen_at');
  const later = `last_seen_at = CASE WHEN ${seen} IS NULL THEN last_seen_at
    WHEN last_seen_at IS NULL OR last_seen_at < ${seen} THEN ${seen} ELSE last_seen_at END`;
  const changed = `changed_at = ${excluded(em, 'changed_at')}, version = version + 1`;
  const onConflict = onConflictUpdate(em, ['user_id'], `${changed}, ${later}`);
  const at = toSqlTimestamp(em, now);
  const rows = changes.toSorted((a, b) => a.userId - b.userId);
  await em.query(
    `INSERT INTO presence (user_id, changed_at, version, last_seen_at) VALUES ${tuples(rows, '?, ?, 1, ?')}
     ${onConflict}`,
    rows.flatMap(({ userId, lastSeenAt }) => [userId, at, lastSeenAt && toSqlTimestamp(em, lastSeenAt)]),
  );
}
