import type { EntityManager } from 'typeorm';
import { inChunks } from '../../common/concurrency/chunks';
import { affectedBy } from '../../database/rows';
import {
  given,
  orUpdate,
  placeholders,
  type RawMoment,
  toDate,
  toMoment,
  tuples,
} from '../../database/dialect';
import { noteChanges } from './presence.queries';

/* What instances write of the event streams that are open on them. All of it within transactions. */

/** The event streams of a user on an instance. */
export interface OwnStreams {
  userId: number;
  since: Date;
  /** When the last of them closed; null while one is open. */
  until: Date | null;
}

/** Rows of one statement. */
export const ROWS_AT_ONCE = 1_000;

/** Writes at least one user's streams, as they are now, and that others may have to be told. */
export async function writeStreams(
  em: EntityManager,
  instanceId: string,
  streams: readonly OwnStreams[],
  now: Date,
): Promise<void> {
  const rows = streams.toSorted((a, b) => a.userId - b.userId);
  const renew = ['since', 'until'].map((column) => `${column} = ${given(em, column)}`).join(', ');
  await em.query(
    `INSERT INTO presence_streams (user_id, instance_id, since, until) VALUES ${tuples(rows, '?, ?, ?, ?')}
     ${orUpdate(em, ['user_id', 'instance_id'], renew)}`,
    rows.flatMap(({ userId, since, until }) => [
      userId,
      instanceId,
      toMoment(em, since),
      until && toMoment(em, until),
    ]),
  );
  await noteChanges(
    em,
    rows.map(({ userId, until }) => ({ userId, lastSeenAt: until })),
    now,
  );
}

/** Says that an instance is alive. @returns whether it was known to be; it is then, too, where it was not */
export async function renewInstance(em: EntityManager, instanceId: string, now: Date): Promise<boolean> {
  const at = toMoment(em, now);
  const known = await affectedBy(em, 'UPDATE instances SET renewed_at = ? WHERE id = ?', [at, instanceId]);
  if (known > 0) return true;
  const onConflict = orUpdate(em, ['id'], `renewed_at = ${given(em, 'renewed_at')}`);
  await em.query(`INSERT INTO instances (id, renewed_at) VALUES (?, ?) ${onConflict}`, [instanceId, at]);
  return false;
}

/** The instances that have not said so since a moment. */
export async function silentInstances(em: EntityManager, since: Date): Promise<string[]> {
  const rows = await em.query<{ id: string }[]>('SELECT id FROM instances WHERE renewed_at <= ?', [
    toMoment(em, since),
  ]);
  return rows.map(({ id }) => id);
}

/**
 * Buries an instance that has been silent since a moment: its users have gone when it was last alive. Should it come back,
 * it finds itself unknown and writes all of its streams anew.
 * @returns the users
 */
export async function buryInstance(
  em: EntityManager,
  instanceId: string,
  { since, now }: { since: Date; now: Date },
): Promise<number[]> {
  const [row] = await em.query<{ renewed_at: RawMoment }[]>(
    'SELECT renewed_at FROM instances WHERE id = ? AND renewed_at <= ?',
    [instanceId, toMoment(em, since)],
  );
  const where = 'DELETE FROM instances WHERE id = ? AND renewed_at <= ?';
  const isOurs = (await affectedBy(em, where, [instanceId, toMoment(em, since)])) > 0;
  return row === undefined || !isOurs ? [] : closeAll(em, instanceId, toDate(row.renewed_at), now);
}

/** An instance stops in order: whoever does not go on elsewhere within the grace has left now. @returns its users */
export async function leaveInstance(em: EntityManager, instanceId: string, now: Date): Promise<number[]> {
  const rows = await streamsOn(em, instanceId);
  const open = rows.filter(({ until }) => until === null).map(({ user_id: userId }) => userId);
  for (const some of inChunks(open, ROWS_AT_ONCE)) {
    await em.query(
      `UPDATE presence_streams SET until = ? WHERE instance_id = ? AND user_id IN (${placeholders(some)})`,
      [toMoment(em, now), instanceId, ...some],
    );
    await noteChanges(
      em,
      some.map((userId) => ({ userId, lastSeenAt: now })),
      now,
    );
  }
  await em.query('DELETE FROM instances WHERE id = ?', [instanceId]);
  return open;
}

/** Ends the streams of an instance; those that nobody has closed at `diedAt`. */
async function closeAll(em: EntityManager, instanceId: string, diedAt: Date, now: Date): Promise<number[]> {
  const rows = await streamsOn(em, instanceId);
  for (const some of inChunks(rows, ROWS_AT_ONCE)) {
    const lastSeenOf = ({ until }: StreamRow): Date => (until === null ? diedAt : toDate(until));
    await noteChanges(
      em,
      some.map((row) => ({ userId: row.user_id, lastSeenAt: lastSeenOf(row) })),
      now,
    );
    await em.query(
      `DELETE FROM presence_streams WHERE instance_id = ? AND user_id IN (${placeholders(some)})`,
      [instanceId, ...some.map(({ user_id }) => user_id)],
    );
  }
  return rows.map(({ user_id }) => user_id);
}

interface StreamRow {
  user_id: number;
  until: RawMoment | null;
}

const streamsOn = (em: EntityManager, instanceId: string): Promise<StreamRow[]> =>
  em.query<StreamRow[]>(
    'SELECT user_id, until FROM presence_streams WHERE instance_id = ? ORDER BY user_id',
    [instanceId],
  );

/** Forgets some streams that had closed before a moment: what is left to tell of them stands in `presence`. @returns how many */
export async function forgetClosed(em: EntityManager, before: Date): Promise<number> {
  const at = toMoment(em, before);
  const rows = await em.query<{ user_id: number; instance_id: string }[]>(
    'SELECT user_id, instance_id FROM presence_streams WHERE until < ? ORDER BY until LIMIT ?',
    [at, ROWS_AT_ONCE],
  );
  let forgotten = 0;
  // A list of rows MariaDB would weigh by three indexes, each against all others.
  for (const [instanceId, some] of Map.groupBy(rows, ({ instance_id }) => instance_id))
    // Those who came back meanwhile are open again.
    forgotten += await affectedBy(
      em,
      `DELETE FROM presence_streams WHERE until < ? AND instance_id = ? AND user_id IN (${placeholders(some)})`,
      [at, instanceId, ...some.map(({ user_id }) => user_id)],
    );
  return forgotten;
}
