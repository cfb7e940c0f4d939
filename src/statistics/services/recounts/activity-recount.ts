import type { EntityManager } from 'typeorm';
import { driftOf, type FigureDrift } from '../../rules/drift.rules';
import { ACTIVE_USERS } from '../../rules/metrics.rules';
import { lastDays } from '../../store/activity.store';
import { readDailyFigures } from '../../store/daily-figures.store';
import type { Recount } from './recount';

/**
 * Recounts active users as far as possible. Only the last active day of each user is stored, so the count is exact for
 * the latest day and a lower bound for earlier days, whose values are therefore only raised.
 */
export class ActivityRecount implements Recount {
  readonly name = ACTIVE_USERS;

  async compare(em: EntityManager): Promise<FigureDrift[]> {
    const usersByLastDay = await lastDays(em);
    const latest = [...usersByLastDay.keys()].toSorted().at(-1);
    const lowerBounds = Array.from(usersByLastDay, ([day, value]) => ({ metric: ACTIVE_USERS, day, value }));
    return driftOf(await readDailyFigures(em, [ACTIVE_USERS]), lowerBounds).filter(
      ({ day, stored, actual }) => day === latest || stored < actual,
    );
  }
}
