import type { EntityManager } from 'typeorm';
import { deleteByPrimaryKey, lockingEnd, placeholders, toSqlTimestamp } from '../../database/sql/dialect';
import {
  affectedBy,
  deleteRows,
  findRows,
  insertRows,
  lockRows,
  queryRows,
  updateRows,
} from '../../database/sql/statements';
import { PushJobEntity } from '../entities/push-job.entity';
import { PushTargetEntity } from '../entities/push-target.entity';
import { laneOf } from '../rules/push-lanes.rules';

/* Targets of users (API 18.1). */

export type NewPushTarget = Omit<PushTargetEntity, 'id'>;

/** Condition for targets `t` that the provider does not reject, or that may be tried again; takes the time. */
export const IS_USABLE = "(t.state = 'active' OR t.retry_at <= ?)";

/** Condition for targets `t` whose session exists; takes the time. */
export const HAS_SESSION = `(t.session_id IS NULL OR EXISTS (SELECT 1 FROM sessions s
  WHERE s.id = t.session_id AND s.user_id = t.user_id AND s.expires_at > ?))`;

/** Returns the targets of a user, ordered by id. */
export async function targetsOf(em: EntityManager, user_id: number): Promise<PushTargetEntity[]> {
  const targets = await findRows(em, PushTargetEntity, { user_id });
  return targets.toSorted((a, b) => a.id - b.id);
}

/** Returns a target; undefined if it does not exist. */
export const targetById = async (em: EntityManager, id: number): Promise<PushTargetEntity | undefined> =>
  (await findRows(em, PushTargetEntity, { id }))[0];

/** Locks a target, and returns it if it was not registered again since it was read. */
export const lockUnlessRegisteredAgain = async (
  em: EntityManager,
  { id, token_hash, registered_at }: PushTargetEntity,
): Promise<PushTargetEntity | undefined> =>
  (await lockRows(em, PushTargetEntity, { id, token_hash, registered_at }))[0];

/** Locks the targets that a registration replaces: those with its token, and that of its terminal and kind. */
export const lockReplaced = (
  em: EntityManager,
  { token_hash, user_id, terminal_id, kind }: NewPushTarget,
): Promise<PushTargetEntity[]> =>
  queryRows(
    em,
    PushTargetEntity,
    `SELECT * FROM push_targets WHERE token_hash = ? OR (user_id = ? AND terminal_id = ? AND kind = ?)
     ORDER BY id${lockingEnd(em)}`,
    [token_hash, user_id, terminal_id, kind],
  );

export const insertTarget = (em: EntityManager, target: NewPushTarget): Promise<number> =>
  insertRows(em, PushTargetEntity, [target]);

export const updateTarget = (
  em: EntityManager,
  id: number,
  changes: Partial<PushTargetEntity>,
): Promise<number> => updateRows(em, PushTargetEntity, { id }, changes);

/** Records whether the endpoint of a Web Push subscription responds, and moves its waiting pushes to that lane. */
export async function setResponsive(
  em: EntityManager,
  { id, kind, token_hash }: PushTargetEntity,
  responsive: boolean,
): Promise<void> {
  await updateRows(em, PushTargetEntity, { id, token_hash }, { responsive });
  const [calls, others] = [true, false].map((isCall) => laneOf({ kind, responsive }, isCall));
  await affectedBy(
    em,
    "UPDATE push_jobs SET lane = CASE WHEN type = 'call' THEN ? ELSE ? END WHERE target_id = ?",
    [calls, others, id],
  );
}

/** Deletes targets with their jobs. */
export async function deleteTargets(em: EntityManager, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await deleteRows(em, PushJobEntity, { target_id: ids });
  const sql = `${deleteByPrimaryKey(em, 'push_targets')} WHERE id IN (${placeholders(ids)})`;
  await affectedBy(em, sql, [...ids]);
}

/** Locks at most `limit` targets that were not seen since a time, and returns their ids. */
export async function unseenTargets(em: EntityManager, since: Date, limit: number): Promise<number[]> {
  const rows = await em.query<{ id: number }[]>(
    `SELECT id FROM push_targets WHERE seen_at < ? ORDER BY seen_at LIMIT ?${lockingEnd(em)}`,
    [toSqlTimestamp(em, since), limit],
  );
  return rows.map(({ id }) => id);
}

/**
 * Counts the receipt of a push, once for each `rev`.
 * @param receipt `rev`: must have been sent
 */
export async function countReceipt(
  em: EntityManager,
  { target_id, topic, rev }: { target_id: number; topic: string; rev: number },
  now: Date,
): Promise<void> {
  const counted = await affectedBy(
    em,
    `UPDATE push_jobs SET received_rev = ? WHERE target_id = ? AND topic = ? AND received_rev < ? AND rev >= ?`,
    [rev, target_id, topic, rev, rev],
  );
  if (counted === 0) return;
  const at = toSqlTimestamp(em, now);
  await affectedBy(
    em,
    'UPDATE push_targets SET received = received + 1, received_at = ?, seen_at = ? WHERE id = ?',
    [at, at, target_id],
  );
}
