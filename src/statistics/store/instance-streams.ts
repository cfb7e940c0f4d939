import type { EntityManager } from 'typeorm';
import { given, orUpdate, type RawCount, toCount, toMoment } from '../../database/dialect';
import { affectedBy } from '../../database/rows';

/* What instances tell of the event streams that are open on them. */

/** Tells how many are open on an instance. */
export async function tellStreams(
  em: EntityManager,
  instanceId: string,
  streams: number,
  now: Date,
): Promise<void> {
  const renew = ['streams', 'told_at'].map((column) => `${column} = ${given(em, column)}`).join(', ');
  await em.query(
    `INSERT INTO instance_streams (instance_id, streams, told_at) VALUES (?, ?, ?)
     ${orUpdate(em, ['instance_id'], renew)}`,
    [instanceId, streams, toMoment(em, now)],
  );
}

/** An instance has none any more, or is gone. */
export async function forgetStreams(em: EntityManager, instanceId: string): Promise<void> {
  await em.query('DELETE FROM instance_streams WHERE instance_id = ?', [instanceId]);
}

/** Forgets instances that have told nothing since a moment; there are as many rows as instances. */
export const forgetSilent = (em: EntityManager, since: Date): Promise<number> =>
  affectedBy(em, 'DELETE FROM instance_streams WHERE told_at < ?', [toMoment(em, since)]);

/** How many are open on all instances that have told of it since a moment. */
export async function openStreams(em: EntityManager, since: Date): Promise<number> {
  const [row] = await em.query<{ streams: RawCount }[]>(
    'SELECT SUM(streams) AS streams FROM instance_streams WHERE told_at >= ?',
    [toMoment(em, since)],
  );
  return toCount(row?.streams);
}
