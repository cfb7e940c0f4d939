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
export const claim = (em: EntityManager, { work, id, until }: Claim, now: Date): Promise<boolean> =>
  updatesOneRow(
    em,
    `UPDATE ${work} SET claimed_until = ? WHERE announcement_id = ? AND claimed_until <= ?`,
    until,
    id,
    now,
  );

/** Renews a claim until `to`. @returns false if another instance has claimed the row */
export const renew = (em: EntityManager, { work, id, until }: Claim, to: Date): Promise<boolean> =>
  updatesOneRow(
    em,
    `UPDATE ${work} SET claimed_until = ? WHERE announcement_id = ? AND claimed_until = ?`,
    to,
    id,
    until,
  );

async function updatesOneRow(
  em: EntityManager,
  sql: string,
  to: Date,
  id: number,
  moment: Date,
): Promise<boolean> {
  return (await affectedBy(em, sql, [toSqlTimestamp(em, to), id, toSqlTimestamp(em, moment)])) === 1;
}
