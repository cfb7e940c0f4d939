import type { EntityManager } from 'typeorm';
import { type RawCount, toCount } from '../../database/sql/dialect';
import { onlineUsers } from '../../people/presence/presence.store';
import type { PresentFiguresResponse } from '../dto/statistics.dto';

/*
 * Current counts, read from the tables of other modules. The cost of counting active calls and online users depends on
 * how many there are now, not on past ones.
 */

/**
 * Counts ringing calls, and answered calls that have not ended. A call has a deadline exactly while it is unfinished.
 */
export async function callsUnderWay(
  em: EntityManager,
): Promise<Pick<PresentFiguresResponse, 'calls_ringing' | 'calls_ongoing'>> {
  const rows = await em.query<{ status: string; calls: RawCount }[]>(
    'SELECT status, COUNT(*) AS calls FROM calls WHERE deadline_at IS NOT NULL GROUP BY status',
  );
  const count = (status: string): number => toCount(rows.find((row) => row.status === status)?.calls);
  return { calls_ringing: count('ringing'), calls_ongoing: count('accepted') + count('ongoing') };
}

/** Counts online users, each once even if connected to several instances. */
export async function countOnlineUsers(em: EntityManager, now: Date): Promise<number> {
  const { sql, parameters } = onlineUsers(em, now.getTime());
  const [row] = await em.query<{ users: RawCount }[]>(
    `SELECT COUNT(DISTINCT user_id) AS users FROM (${sql}) o`,
    parameters,
  );
  return toCount(row?.users);
}

/** Returns the number of online devices, which `device-groups` maintains in one row. */
export async function devicesOnline(em: EntityManager): Promise<number> {
  const [row] = await em.query<{ online: RawCount }[]>('SELECT online FROM device_totals WHERE id = 1');
  return toCount(row?.online);
}

/** Counts devices and device groups. */
export async function countTree(em: EntityManager): Promise<{ devices: number; groups: number }> {
  const [row] = await em.query<{ device_count: RawCount; group_count: RawCount }[]>(
    `SELECT (SELECT COUNT(*) FROM devices) AS device_count,
       (SELECT COUNT(*) FROM device_groups) AS group_count`,
  );
  return { devices: toCount(row?.device_count), groups: toCount(row?.group_count) };
}
