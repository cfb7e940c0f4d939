import type { EntityManager } from 'typeorm';
import { type RawCount, toCount, toSqlTimestamp } from '../../database/sql/dialect';
import { EXPIRY_MS, GRACE_MS } from '../../people/rules/presence-state.rules';

/*
 * Current counts, read from the tables of other modules. The cost of counting active calls and online users depends on
 * how many there are now, not on past ones.
 */

/**
 * Counts ringing calls, and answered calls that have not ended. A call has a deadline exactly while it is unfinished.
 */
export async function callsUnderWay(em: EntityManager): Promise<{ ringing: number; ongoing: number }> {
  const rows = await em.query<{ status: string; calls: RawCount }[]>(
    'SELECT status, COUNT(*) AS calls FROM calls WHERE deadline_at IS NOT NULL GROUP BY status',
  );
  const count = (isCounted: (status: string) => boolean): number =>
    rows.reduce((sum, { status, calls }) => sum + (isCounted(status) ? toCount(calls) : 0), 0);
  return {
    ringing: count((status) => status === 'ringing'),
    ongoing: count((status) => status === 'accepted' || status === 'ongoing'),
  };
}

/** Counts online users (`people/rules/presence-state.rules.ts`), each once even if connected to several instances. */
export async function usersOnline(em: EntityManager, now: Date): Promise<number> {
  const before = (ms: number) => toSqlTimestamp(em, new Date(now.getTime() - ms));
  const [row] = await em.query<{ users: RawCount }[]>(
    `SELECT COUNT(DISTINCT s.user_id) AS users FROM presence_streams s
     LEFT JOIN instances i ON i.id = s.instance_id
     WHERE s.until > ? OR (s.until IS NULL AND i.renewed_at > ?)`,
    [before(GRACE_MS), before(EXPIRY_MS)],
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
