import type { EntityManager } from 'typeorm';
import { toMoment } from '../../database/dialect';
import { affectedBy } from '../../database/rows';

/*
 * Work on announcements that takes long is done by one instance at a time: it claims the row of the work for a while,
 * and prolongs that as it goes on. What an instance that is gone had claimed is free again by itself.
 */

/** The tables with such rows. */
type Work = 'announcement_recalls' | 'announcement_reaches';

/** A row that is claimed, and until when. */
export interface Claim {
  work: Work;
  id: number;
  until: Date;
}

/** Claims a row that nobody works on; answers whether it was free. */
export const claim = (em: EntityManager, { work, id, until }: Claim, now: Date): Promise<boolean> =>
  isOne(
    em,
    `UPDATE ${work} SET claimed_until = ? WHERE announcement_id = ? AND claimed_until <= ?`,
    until,
    id,
    now,
  );

/** Prolongs a claim; answers whether it still stood. */
export const prolong = (em: EntityManager, { work, id, until }: Claim, to: Date): Promise<boolean> =>
  isOne(
    em,
    `UPDATE ${work} SET claimed_until = ? WHERE announcement_id = ? AND claimed_until = ?`,
    to,
    id,
    until,
  );

async function isOne(em: EntityManager, sql: string, to: Date, id: number, moment: Date): Promise<boolean> {
  return (await affectedBy(em, sql, [toMoment(em, to), id, toMoment(em, moment)])) === 1;
}
