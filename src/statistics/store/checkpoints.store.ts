import type { EntityManager } from 'typeorm';
import { lockingEnd, insertIgnore, type RawCount, toCount, toSqlTimestamp } from '../../database/sql/dialect';
import { affectedBy } from '../../database/sql/statements';

/* Checkpoints: how far rows have been counted. */

/** Name of the checkpoint row that holds the lease of the rollup job. */
export const LEASE = 'walker';

/** Acquires or renews the lease until `until`, unless another `claim` holds it. @returns whether `claim` holds it now */
export async function acquireRollupLease(
  em: EntityManager,
  { claim, now, until }: { claim: string; now: Date; until: Date },
): Promise<boolean> {
  const lease = [claim, toSqlTimestamp(em, until), LEASE, claim, toSqlTimestamp(em, now)];
  const claimed = await affectedBy(
    em,
    `UPDATE stats_walks SET claim = ?, lease_until = ?
     WHERE name = ? AND (claim = ? OR lease_until IS NULL OR lease_until <= ?)`,
    lease,
  );
  return claimed > 0;
}

/** Releases the lease, so that another instance can acquire it immediately. */
export async function releaseRollupLease(em: EntityManager, claim: string): Promise<void> {
  await em.query('UPDATE stats_walks SET lease_until = NULL WHERE name = ? AND claim = ?', [LEASE, claim]);
}

/** Inserts the row of a checkpoint if it is missing. */
export async function ensureCheckpoint(em: EntityManager, name: string): Promise<void> {
  await em.query(`${insertIgnore(em)} INTO stats_walks (name, position) VALUES (?, 0)`, [name]);
}

/** Returns the position of a checkpoint; 0 if it does not exist. */
export const readCheckpoint = (em: EntityManager, name: string): Promise<number> =>
  readPosition(em, name, '');

/** Returns the position of a checkpoint and locks its row, so that no other transaction advances it. */
export const lockCheckpoint = (em: EntityManager, name: string): Promise<number> =>
  readPosition(em, name, lockingEnd(em));

async function readPosition(em: EntityManager, name: string, ending: string): Promise<number> {
  const [row] = await em.query<{ position: RawCount }[]>(
    `SELECT position FROM stats_walks WHERE name = ?${ending}`,
    [name],
  );
  return toCount(row?.position);
}

/** Advances a checkpoint if its position is still `from`. @returns whether it was */
export async function advanceCheckpoint(
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
