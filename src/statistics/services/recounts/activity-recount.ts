import type { EntityManager } from 'typeorm';
import { driftOf, type FigureDrift } from '../../rules/drift';
import { ACTIVE_USERS } from '../../rules/metrics';
import { lastDays } from '../../store/activity-rows';
import { readFigures } from '../../store/daily-figures';
import type { Recount } from './recount';

/**
 * Counts active users anew, as far as that can be done: of each user the last day is known, so of the last day all are, and
 * of earlier ones how many there were at least.
 */
export class ActivityRecount implements Recount {
  readonly name = ACTIVE_USERS;

  prepare(): Promise<void> {
    return Promise.resolve();
  }

  async compare(em: EntityManager): Promise<FigureDrift[]> {
    const users = await lastDays(em);
    const latest = [...users.keys()].toSorted().at(-1);
    const least = Array.from(users, ([day, value]) => ({ metric: ACTIVE_USERS, day, value }));
    return driftOf(await readFigures(em, [ACTIVE_USERS]), least).filter(
      ({ day, stored, actual }) => day === latest || stored < actual,
    );
  }
}
