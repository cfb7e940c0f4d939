import type { EntityManager } from 'typeorm';
import {
  byPrimaryKey,
  lockingEnd,
  placeholders,
  type RawCount,
  toCount,
  toMoment,
} from '../../database/dialect';
import { affectedBy } from '../../database/rows';
import { THE_TOTALS } from '../entities/device-totals.entity';

/* Which devices are there (contract 14.4). Rows are held by ascending id, so that nobody waits in a circle. */

/** What a heartbeat may change of a device, whose row is held. */
export interface HeldState {
  id: number;
  user_id: number | null;
  online: boolean;
  version: string | null;
  battery: number | null;
}

/** The devices of some users, by their ids; most users have none. */
export async function deviceIdsOf(em: EntityManager, userIds: readonly number[]): Promise<number[]> {
  const rows = await em.query<{ id: number }[]>(
    `SELECT id FROM devices WHERE user_id IN (${placeholders(userIds)})`,
    [...userIds],
  );
  return rows.map(({ id }) => id);
}

/** Those of some devices that there are, held until the commit. */
export async function holdStates(em: EntityManager, ids: readonly number[]): Promise<HeldState[]> {
  const rows = await em.query<(Omit<HeldState, 'online'> & { online: number })[]>(
    `SELECT id, user_id, online, version, battery FROM devices ${byPrimaryKey(em)}
     WHERE id IN (${placeholders(ids)}) ORDER BY id ${lockingEnd(em)}`,
    [...ids],
  );
  return rows.map(({ online, ...row }) => ({ ...row, online: Boolean(online) }));
}

/** The users of some devices have been heard of. */
export async function noteSeen(
  em: EntityManager,
  ids: readonly number[],
  { now, offlineAt }: { now: Date; offlineAt: Date },
): Promise<void> {
  await em.query(
    `UPDATE devices SET online = 1, last_seen_at = ?, offline_at = ? WHERE id IN (${placeholders(ids)})`,
    [toMoment(em, now), toMoment(em, offlineAt), ...ids],
  );
}

/** Some devices, the longest overdue first, that should be offline by now. */
export async function overdueIds(em: EntityManager, now: Date, most: number): Promise<number[]> {
  const rows = await em.query<{ id: number }[]>(
    'SELECT id FROM devices WHERE offline_at <= ? ORDER BY offline_at LIMIT ?',
    [toMoment(em, now), most],
  );
  return rows.map(({ id }) => id);
}

/** Those of some devices that are overdue still, held until the commit: of others their user has been heard meanwhile. */
export async function holdOverdue(em: EntityManager, ids: readonly number[], now: Date): Promise<number[]> {
  const rows = await em.query<{ id: number }[]>(
    `SELECT id FROM devices ${byPrimaryKey(em)}
     WHERE id IN (${placeholders(ids)}) AND offline_at <= ? ORDER BY id ${lockingEnd(em)}`,
    [...ids, toMoment(em, now)],
  );
  return rows.map(({ id }) => id);
}

/** Devices, at least one, whose rows are held go offline; answers how many of them were online. */
export const takeOffline = (em: EntityManager, ids: readonly number[]): Promise<number> =>
  affectedBy(
    em,
    `UPDATE devices SET online = 0, offline_at = NULL WHERE id IN (${placeholders(ids)}) AND online = 1`,
    [...ids],
  );

/** So many more devices are online, or fewer. Comes last. */
export async function countOnline(em: EntityManager, more: number): Promise<void> {
  if (more !== 0)
    await em.query('UPDATE device_totals SET online = online + ? WHERE id = ?', [more, THE_TOTALS]);
}

/** How many devices are online: one row, however many there are. */
export async function onlineCount(em: EntityManager): Promise<number> {
  const [row] = await em.query<{ online: RawCount }[]>('SELECT online FROM device_totals WHERE id = ?', [
    THE_TOTALS,
  ]);
  return toCount(row?.online);
}

/**
 * Counts again how many are online; whoever changes that meanwhile waits. What is not committed yet is not seen, and
 * counted by those who do it.
 */
export async function recountOnline(em: EntityManager): Promise<{ stored: number; actual: number }> {
  const [row] = await em.query<{ online: RawCount }[]>(
    `SELECT online FROM device_totals WHERE id = ? ${lockingEnd(em)}`,
    [THE_TOTALS],
  );
  const [counted] = await em.query<{ n: RawCount }[]>('SELECT COUNT(*) AS n FROM devices WHERE online = 1');
  const [stored, actual] = [toCount(row?.online), toCount(counted?.n)];
  await countOnline(em, actual - stored);
  return { stored, actual };
}
