import type { EntityManager } from 'typeorm';
import {
  excluded,
  onConflictUpdate,
  type RawCount,
  toCount,
  toSqlTimestamp,
} from '../../database/sql/dialect';

/* Number of open event streams, as written by each instance. */

/** Stores the number of open streams of an instance. */
export async function reportStreams(
  em: EntityManager,
  instanceId: string,
  streams: number,
  now: Date,
): Promise<void> {
  const renew = ['streams', 'told_at'].map((column) => `${column} = ${excluded(em, column)}`).join(', ');
  await em.query(
    `INSERT INTO instance_streams (instance_id, streams, told_at) VALUES (?, ?, ?)
     ${onConflictUpdate(em, ['instance_id'], renew)}`,
    [instanceId, streams, toSqlTimestamp(em, now)],
  );
}

/** Deletes the row of an instance that has no open streams, or stops. */
export async function deleteStreams(em: EntityManager, instanceId: string): Promise<void> {
  await em.query('DELETE FROM instance_streams WHERE instance_id = ?', [instanceId]);
}

/** Deletes rows that were last written before `since`. The table has one row per instance. */
export async function deleteStale(em: EntityManager, since: Date): Promise<void> {
  await em.query('DELETE FROM instance_streams WHERE told_at < ?', [toSqlTimestamp(em, since)]);
}

/** Returns the number of open streams, from rows written at or after `since`. */
export async function openStreams(em: EntityManager, since: Date): Promise<number> {
  const [row] = await em.query<{ streams: RawCount }[]>(
    'SELECT SUM(streams) AS streams FROM instance_streams WHERE told_at >= ?',
    [toSqlTimestamp(em, since)],
  );
  return toCount(row?.streams);
}
