import type { EntityManager } from 'typeorm';
import { lockingEnd, placeholders, type RawCount, toCount } from '../../database/sql/dialect';
import { insertRows } from '../../database/sql/statements';
import { UserActivityEntity } from '../entities/user-activity.entity';
import { ACTIVE_USERS } from '../rules/metrics.rules';
import { addFigures } from './daily-figures.store';

/**
 * Records that users, at least one, were active on a day, and counts those for whom neither that day nor a later one is
 * stored.
 * @throws on a duplicate key, when another instance inserts the first row of one of them at the same time; a retry
 *   succeeds
 */
export async function noteActive(em: EntityManager, userIds: readonly number[], day: string): Promise<void> {
  // Rows are locked by ascending id, so that two instances do not deadlock.
  const ids = userIds.toSorted((a, b) => a - b);
  const rows = await em.query<{ user_id: number; last_day: string }[]>(
    `SELECT user_id, last_day FROM user_activity WHERE user_id IN (${placeholders(ids)})
     ORDER BY user_id${lockingEnd(em)}`,
    ids,
  );
  const storedIds = new Set(rows.map(({ user_id }) => user_id));
  const newUserIds = ids.filter((id) => !storedIds.has(id));
  const returningIds = rows.filter(({ last_day }) => last_day < day).map(({ user_id }) => user_id);
  if (newUserIds.length > 0) {
    const added = newUserIds.map((user_id) => ({ user_id, last_day: day }));
    await insertRows(em, UserActivityEntity, added);
  }
  if (returningIds.length > 0)
    await em.query(`UPDATE user_activity SET last_day = ? WHERE user_id IN (${placeholders(returningIds)})`, [
      day,
      ...returningIds,
    ]);
  await addFigures(em, [{ metric: ACTIVE_USERS, day, value: newUserIds.length + returningIds.length }]);
}

/** Returns the number of users by the last day on which they were active. */
export async function lastDays(em: EntityManager): Promise<Map<string, number>> {
  const rows = await em.query<{ last_day: string; users: RawCount }[]>(
    'SELECT last_day, COUNT(*) AS users FROM user_activity GROUP BY last_day',
  );
  return new Map(rows.map(({ last_day, users }) => [last_day, toCount(users)]));
}
