import type { EntityManager } from 'typeorm';
import { lockingEnd, orNothing, type RawCount, toCount, toMoment } from '../../database/dialect';
import { affectedBy } from '../../database/rows';

/* How far what is counted afterwards has come. */

/** Claims a walk for an instance, until a moment, unless another one has it. @returns whether it is this one's */
export async function claimWalk(
  em: EntityManager,
  name: string,
  { claim, now, until }: { claim: string; now: Date; until: Date },
): Promise<boolean> {
  const lease = [claim, toMoment(em, until), name, claim, toMoment(em, now)];
  const claimed = await affectedBy(
    em,
    `UPDATE stats_walks SET claim = ?, lease_until = ?
     WHERE name = ? AND (claim = ? OR lease_until IS NULL OR lease_until <= ?)`,
    lease,
  );
  return claimed > 0;
}

/** Ends a lease, so that another instance need not wait for its end. */
export async function releaseWalk(em: EntityManager, name: string, claim: string): Promise<void> {
  await em.query('UPDATE stats_walks SET lease_until = NULL WHERE name = ? AND claim = ?', [name, claim]);
}

/** Makes a walk's row where it is missing. */
export async function beginWalk(em: EntityManager, name: string): Promise<void> {
  await em.query(`${orNothing(em)} INTO stats_walks (name, position) VALUES (?, 0)`, [name]);
}

/** How far a walk has come; 0 when it has not begun. */
export const positionOf = (em: EntityManager, name: string): Promise<number> => readPosition(em, name, '');

/** The same, held until the transaction ends, so that nobody else moves it. */
export const holdPosition = (em: EntityManager, name: string): Promise<number> =>
  readPosition(em, name, lockingEnd(em));

async function readPosition(em: EntityManager, name: string, ending: string): Promise<number> {
  const [row] = await em.query<{ position: RawCount }[]>(
    `SELECT position FROM stats_walks WHERE name = ?${ending}`,
    [name],
  );
  return toCount(row?.position);
}

/** Moves a walk on, unless it is not where it was. @returns whether it was */
export async function moveWalk(
  em: EntityManager,
  name: string,
  { from, to }: { from: number; to: number },
): Promise<boolean> {
  const moved = await affectedBy(em, 'UPDATE stats_walks SET position = ? WHERE name = ? AND position = ?', [
    to,
    name,
    from,
  ]);
  return moved > 0;
}
