import type { EntityManager } from 'typeorm';
import { toSqlTimestamp } from '../../database/sql/dialect';
import { affectedBy } from '../../database/sql/statements';

/*
 * Long-running work on announcements is done by one instance at a time. The instance claims the row of the work for a
 * limited time, and renews the claim while it works. The claim of a crashed instance expires.
 */

/** The tables whose rows are claimed. */
type Work = 'announcement_recalls' | 'announcement_reaches';

/** A claimed row, and when the claim expires. */
export interface Claim {
  work: Work;
  id: number;
  until: Date;
}

/** Claims a row whose claim has expired. @returns false if another instance holds the claim */
export const claim = (em: EntityManager, claimed: Claim, now: Date): Promise<boolean> =>
  moveEnd(em, claimed, claimed.until, ['<=', now]);

/** Renews a claim until `to`. @returns false if another instance has claimed the row */
export const renew = (em: EntityManager, claimed: Claim, to: Date): Promise<boolean> =>
  moveEnd(em, claimed, to, ['=', claimed.until]);

async function moveEnd(
  em: EntityManager,
  { work, id }: Claim,
  to: Date,
  [operator, end]: ['<=' | '=', Date],
): Promise<boolean> {
  const sql = `UPDATE ${work} SET claimed_until = ? WHERE announcement_id = ? AND claimed_until ${operator} ?`;
  return (await affectedBy(em, sql, [toSqlTimestamp(em, to), id, toSqlTimestamp(em, end)])) === 1;
}
