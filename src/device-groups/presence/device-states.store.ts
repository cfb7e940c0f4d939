import type { EntityManager } from 'typeorm';
import {
  forcePrimaryKey,
  lockingEnd,
  placeholders,
  type RawCount,
  toCount,
  toSqlTimestamp,
} from '../../database/sql/dialect';
import { affectedBy, updateEach } from '../../database/sql/statements';
import { THE_TOTALS } from '../entities/device-totals.entity';
import { DeviceEntity } from '../entities/device.entity';

/* Online state of devices (API 12.4). Rows are locked by ascending id, to prevent deadlocks. */

/** Fields of a locked device that a heartbeat may change. */
export type LockedState = Pick<DeviceEntity, 'id' | 'user_id' | 'online' | 'version' | 'battery'>;

/** Returns the ids of the devices of users; most users have none. */
export async function deviceIdsOf(em: EntityManager, userIds: readonly number[]): Promise<number[]> {
  const rows = await em.query<{ id: number }[]>(
    `SELECT id FROM devices WHERE user_id IN (${placeholders(userIds)})`,
    [...userIds],
  );
  return rows.map(({ id }) => id);
}

/** Locks devices until the commit and returns their state. Unknown ids are left out. */
export async function lockStates(em: EntityManager, ids: readonly number[]): Promise<LockedState[]> {
  const rows = await em.query<(Omit<LockedState, 'online'> & { online: number })[]>(
    `SELECT id, user_id, online, version, battery FROM devices ${forcePrimaryKey(em)}
     WHERE id IN (${placeholders(ids)}) ORDER BY id ${lockingEnd(em)}`,
    [...ids],
  );
  return rows.map(({ online, ...row }) => ({ ...row, online: Boolean(online) }));
}

/** Sets devices online, last seen now. */
export async function noteSeen(
  em: EntityManager,
  ids: readonly number[],
  { now, offlineAt }: { now: Date; offlineAt: Date },
): Promise<void> {
  await em.query(
    `UPDATE devices SET online = 1, last_seen_at = ?, offline_at = ? WHERE id IN (${placeholders(ids)})`,
    [toSqlTimestamp(em, now), toSqlTimestamp(em, offlineAt), ...ids],
  );
}

/** Stores the version and the battery that each of at least one locked device has reported. */
export const storeDeviceReports = (
  em: EntityManager,
  reports: readonly Pick<DeviceEntity, 'id' | 'version' | 'battery'>[],
): Promise<void> => updateEach(em, DeviceEntity, 'id', [...reports]);

/** Returns the ids of up to `limit` devices whose `offline_at` has passed, the longest overdue first. */
export async function overdueIds(em: EntityManager, now: Date, limit: number): Promise<number[]> {
  const rows = await em.query<{ id: number }[]>(
    'SELECT id FROM devices WHERE offline_at <= ? ORDER BY offline_at LIMIT ?',
    [toSqlTimestamp(em, now), limit],
  );
  return rows.map(({ id }) => id);
}

/**
 * Locks the devices that are still overdue until the commit and returns their ids. The others have sent a heartbeat
 * since.
 */
export async function lockOverdue(em: EntityManager, ids: readonly number[], now: Date): Promise<number[]> {
  const rows = await em.query<{ id: number }[]>(
    `SELECT id FROM devices ${forcePrimaryKey(em)}
     WHERE id IN (${placeholders(ids)}) AND offline_at <= ? ORDER BY id ${lockingEnd(em)}`,
    [...ids, toSqlTimestamp(em, now)],
  );
  return rows.map(({ id }) => id);
}

/** Sets locked devices, at least one, offline. Returns how many of them were online. */
export const takeOffline = (em: EntityManager, ids: readonly number[]): Promise<number> =>
  affectedBy(
    em,
    `UPDATE devices SET online = 0, offline_at = NULL WHERE id IN (${placeholders(ids)}) AND online = 1`,
    [...ids],
  );

/** Adds to the number of online devices. Must be the last statement, so that the lock of the shared row is short. */
export async function countOnline(em: EntityManager, more: number): Promise<void> {
  if (more !== 0)
    await em.query('UPDATE device_totals SET online = online + ? WHERE id = ?', [more, THE_TOTALS]);
}

/** Returns the stored number of online devices. */
export async function onlineCount(em: EntityManager): Promise<number> {
  const [row] = await em.query<{ online: RawCount }[]>('SELECT online FROM device_totals WHERE id = ?', [
    THE_TOTALS,
  ]);
  return toCount(row?.online);
}

/**
 * Recounts the online devices and corrects the stored number, whose row is locked first. A transaction that is not
 * committed yet is not in the recount; it waits for the row, and then adds its own difference.
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
