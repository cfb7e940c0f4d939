import type { EntityManager } from 'typeorm';
import { inChunks } from '../../common/concurrency/chunks';
import { affectedBy } from '../../database/sql/statements';
import {
  excluded,
  onConflictUpdate,
  placeholders,
  type RawTimestamp,
  toDate,
  toSqlTimestamp,
  tuples,
} from '../../database/sql/dialect';
import { noteChanges } from './presence.store';

/* Writes the event streams that are open on an instance. All functions require a transaction. */

/** The event streams of a user on the writing instance. */
export interface OwnStreams {
  userId: number;
  since: Date;
  /** When the last stream closed; null while one is open. */
  until: Date | null;
}

/** Maximum number of rows per statement. */
export const ROWS_AT_ONCE = 1_000;

/** Writes the current streams of at least one user, and marks the users as changed for other instances. */
export async function writeStreams(
  em: EntityManager,
  instanceId: string,
  streams: readonly OwnStreams[],
  now: Date,
): Promise<void> {
  const rows = streams.toSorted((a, b) => a.userId - b.userId);
  const renew = ['since', 'until'].map((column) => `${column} = ${excluded(em, column)}`).join(', ');
  await em.query(
    `INSERT INTO presence_streams (user_id, instance_id, since, until) VALUES ${tuples(rows, '?, ?, ?, ?')}
     ${onConflictUpdate(em, ['user_id', 'instance_id'], renew)}`,
    rows.flatMap(({ userId, since, until }) => [
      userId,
      instanceId,
      toSqlTimestamp(em, since),
      until && toSqlTimestamp(em, until),
    ]),
  );
  await noteChanges(
    em,
    rows.map(({ userId, until }) => ({ userId, lastSeenAt: until })),
    now,
  );
}

/**
 * Renews the row of an instance, and inserts it if it does not exist.
 * @returns whether the row existed
 */
export async function renewInstance(em: EntityManager, instanceId: string, now: Date): Promise<boolean> {
  const at = toSqlTimestamp(em, now);
  const affected = await affectedBy(em, 'UPDATE instances SET renewed_at = ? WHERE id = ?', [at, instanceId]);
  if (affected > 0) return true;
  const onConflict = onConflictUpdate(em, ['id'], `renewed_at = ${excluded(em, 'renewed_at')}`);
  await em.query(`INSERT INTO instances (id, renewed_at) VALUES (?, ?) ${onConflict}`, [instanceId, at]);
  return false;
}

/** Returns the ids of the instances that were last renewed at or before a time. */
export async function staleInstances(em: EntityManager, since: Date): Promise<string[]> {
  const rows = await em.query<{ id: string }[]>('SELECT id FROM instances WHERE renewed_at <= ?', [
    toSqlTimestamp(em, since),
  ]);
  return rows.map(({ id }) => id);
}

/**
 * Removes an instance that was last renewed at or before `since`: its users were last seen when it was last renewed. If
 * the instance was only suspended, it finds its row missing and writes all of its streams again.
 * @returns the users of the instance; empty if it was renewed meanwhile or another instance removed it
 */
export async function removeDeadInstance(
  em: EntityManager,
  instanceId: string,
  { since, now }: { since: Date; now: Date },
): Promise<number[]> {
  const [row] = await em.query<{ renewed_at: RawTimestamp }[]>(
    'SELECT renewed_at FROM instances WHERE id = ? AND renewed_at <= ?',
    [instanceId, toSqlTimestamp(em, since)],
  );
  const where = 'DELETE FROM instances WHERE id = ? AND renewed_at <= ?';
  const wasDeleted = (await affectedBy(em, where, [instanceId, toSqlTimestamp(em, since)])) > 0;
  return row === undefined || !wasDeleted ? [] : closeAll(em, instanceId, toDate(row.renewed_at), now);
}

/**
 * Deregisters an instance that shuts down: its users go offline now, unless they reconnect to another instance within
 * the grace period.
 * @returns the users who had streams open on it
 */
export async function deregisterInstance(
  em: EntityManager,
  instanceId: string,
  now: Date,
): Promise<number[]> {
  const rows = await streamsOn(em, instanceId);
  const open = rows.filter(({ until }) => until === null).map(({ user_id: userId }) => userId);
  for (const chunk of inChunks(open, ROWS_AT_ONCE)) {
    await em.query(
      `UPDATE presence_streams SET until = ? WHERE instance_id = ? AND user_id IN (${placeholders(chunk)})`,
      [toSqlTimestamp(em, now), instanceId, ...chunk],
    );
    await noteChanges(
      em,
      chunk.map((userId) => ({ userId, lastSeenAt: now })),
      now,
    );
  }
  await em.query('DELETE FROM instances WHERE id = ?', [instanceId]);
  return open;
}

/** Deletes the streams of a dead instance. Streams that were still open count as closed at `diedAt`. */
async function closeAll(em: EntityManager, instanceId: string, diedAt: Date, now: Date): Promise<number[]> {
  const rows = await streamsOn(em, instanceId);
  for (const chunk of inChunks(rows, ROWS_AT_ONCE)) {
    const lastSeenOf = ({ until }: StreamRow): Date => (until === null ? diedAt : toDate(until));
    await noteChanges(
      em,
      chunk.map((row) => ({ userId: row.user_id, lastSeenAt: lastSeenOf(row) })),
      now,
    );
    await em.query(
      `DELETE FROM presence_streams WHERE instance_id = ? AND user_id IN (${placeholders(chunk)})`,
      [instanceId, ...chunk.map(({ user_id }) => user_id)],
    );
  }
  return rows.map(({ user_id }) => user_id);
}

interface StreamRow {
  user_id: number;
  until: RawTimestamp | null;
}

const streamsOn = (em: EntityManager, instanceId: string): Promise<StreamRow[]> =>
  em.query<StreamRow[]>(
    'SELECT user_id, until FROM presence_streams WHERE instance_id = ? ORDER BY user_id',
    [instanceId],
  );

/**
 * Deletes at most `ROWS_AT_ONCE` streams that closed before a time: `last_seen_at` is stored in `presence`.
 * @returns their number
 */
export async function deleteClosed(em: EntityManager, before: Date): Promise<number> {
  const at = toSqlTimestamp(em, before);
  const rows = await em.query<{ user_id: number; instance_id: string }[]>(
    'SELECT user_id, instance_id FROM presence_streams WHERE until < ? ORDER BY until LIMIT ?',
    [at, ROWS_AT_ONCE],
  );
  let deleted = 0;
  // One statement per instance: for a list of row values MariaDB would analyse three indexes and compare each row with
  // all others.
  for (const [instanceId, chunk] of Map.groupBy(rows, ({ instance_id }) => instance_id))
    // `until` is checked again: a user who reconnected meanwhile has an open stream.
    deleted += await affectedBy(
      em,
      `DELETE FROM presence_streams WHERE until < ? AND instance_id = ? AND user_id IN (${placeholders(chunk)})`,
      [at, instanceId, ...chunk.map(({ user_id }) => user_id)],
    );
  return deleted;
}
