import type { EntityManager } from 'typeorm';
import { lockingEnd, placeholders, type RawCount, toCount } from '../../database/dialect';
import { insertRows } from '../../database/rows';
import { UserActivityEntity } from '../entities/user-activity.entity';
import { ACTIVE_USERS } from '../rules/metrics';
import { addFigures } from './daily-figures';

/**
 * Notes that some users, at least one, were active on a day, and counts those of whom nobody has noted it yet, or anything
 * later. Where another instance meets one of them for the first time too, it throws, and works the next time.
 */
export async function noteActive(em: EntityManager, userIds: readonly number[], day: string): Promise<void> {
  // In one order, so that two instances take turns.
  const ids = userIds.toSorted((a, b) => a - b);
  const rows = await em.query<{ user_id: number; last_day: string }[]>(
    `SELECT user_id, last_day FROM user_activity WHERE user_id IN (${placeholders(ids)})
     ORDER BY user_id${lockingEnd(em)}`,
    ids,
  );
  const known = new Set(rows.map(({ user_id }) => user_id));
  const newcomers = ids.filter((id) => !known.has(id));
  const returning = rows.filter(({ last_day }) => last_day < day).map(({ user_id }) => user_id);
  if (newcomers.length > 0) {
    const added = newcomers.map((user_id) => ({ user_id, last_day: day }));
    await insertRows(em, UserActivityEntity, added);
  }
  if (returning.length > 0)
    await em.query(`UPDATE user_activity SET last_day = ? WHERE user_id IN (${placeholders(returning)})`, [
      day,
      ...returning,
    ]);
  await addFigures(em, [{ metric: ACTIVE_USERS, day, value: newcomers.length + returning.length }]);
}

/** How many users were last active on each day. */
export async function lastDays(em: EntityManager): Promise<Map<string, number>> {
  const rows = await em.query<{ last_day: string; users: RawCount }[]>(
    'SELECT last_day, COUNT(*) AS users FROM user_activity GROUP BY last_day',
  );
  return new Map(rows.map(({ last_day, users }) => [last_day, toCount(users)]));
}
