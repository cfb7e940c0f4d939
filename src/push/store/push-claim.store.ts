import type { EntityManager } from 'typeorm';
import { placeholders, toSqlTimestamp, unionOfSome } from '../../database/sql/dialect';
import { affectedBy, findRows, queryRows } from '../../database/sql/statements';
import { PushJobEntity } from '../entities/push-job.entity';
import { PushTargetEntity } from '../entities/push-target.entity';
import { isCallLane, isUnresponsiveLane } from '../rules/push-lanes.rules';
import { releaseTargets } from './push-job.store';
import { HAS_SESSION, IS_USABLE } from './push-target.store';

/* Claims of due pushes. A ring is claimed itself; another push by a lease on its target, so one is in flight per target. */

/** A due job. */
export type DueJob = Pick<PushJobEntity, 'id' | 'target_id' | 'user_id' | 'lane'>;

/** Slots of a lane on this instance. */
export interface LaneSlots {
  free: number;
  /** Users whose pushes are in flight. Their other pushes wait if the lane is of unresponsive endpoints. */
  userIds: readonly number[];
}

/**
 * Returns due jobs, at most as many per lane as it has free slots. Of pushes other than calls at most one per target; in
 * a lane of unresponsive endpoints one per user, because a user may register 20 endpoints that hold their slots until the
 * time-out. `fullLanes`: the lanes that reached their limit, so more may be due.
 */
export async function dueJobs(
  em: EntityManager,
  slots: ReadonlyMap<number, LaneSlots>,
  now: Date,
): Promise<{ due: DueJob[]; fullLanes: number[] }> {
  const at = toSqlTimestamp(em, now);
  const lanes = [...slots].flatMap(([lane, { free, userIds }]) => {
    const waiting = isUnresponsiveLane(lane) ? userIds : [];
    return free > 0 ? [{ lane, free, waiting }] : [];
  });
  if (lanes.length === 0) return { due: [], fullLanes: [...slots.keys()] };
  const selects = lanes.map(({ lane, free, waiting }) => {
    const isFreeUser = waiting.length === 0 ? '' : `AND j.user_id NOT IN (${placeholders(waiting)})`;
    return isCallLane(lane)
      ? `SELECT j.id, j.target_id, j.user_id, j.lane FROM push_jobs j
         WHERE j.lane = ? AND j.due_at <= ? ${isFreeUser} ORDER BY j.due_at LIMIT ${free}`
      : `SELECT j.id, j.target_id, j.user_id, j.lane FROM push_jobs j JOIN push_targets t ON t.id = j.target_id
         WHERE j.lane = ? AND j.due_at <= ? AND (t.busy_until IS NULL OR t.busy_until <= ?) ${isFreeUser}
         ORDER BY j.due_at LIMIT ${free}`;
  });
  const rows = await em.query<DueJob[]>(
    unionOfSome(em, selects),
    lanes.flatMap(({ lane, waiting }) => [lane, at, ...(isCallLane(lane) ? [] : [at]), ...waiting]),
  );
  const found = Map.groupBy(rows, ({ lane }) => lane);
  const fullLanes = [...slots].flatMap(([lane, { free }]) =>
    (found.get(lane)?.length ?? 0) >= free ? [lane] : [],
  );
  return { due: oneEach(rows), fullLanes };
}

/** Returns the first job of each target, except calls, and in a lane of unresponsive endpoints of each user. */
function oneEach(jobs: readonly DueJob[]): DueJob[] {
  const taken = new Set<string>();
  return jobs.filter(({ target_id, user_id, lane }) => {
    const keys = [
      ...(isCallLane(lane) ? [] : [`target ${target_id}`]),
      ...(isUnresponsiveLane(lane) ? [`user ${user_id} lane ${lane}`] : []),
    ];
    if (keys.some((key) => taken.has(key))) return false;
    for (const key of keys) taken.add(key);
    return true;
  });
}

/** A job that only this instance may send until its claim ends, with its target. */
export interface ClaimedJob {
  job: PushJobEntity;
  target: PushTargetEntity;
  claim: string;
  /** Whether the target may receive pushes: its user is enabled, its session exists, and its token is not rejected. */
  isAllowed: boolean;
}

/**
 * Claims jobs, and returns those that no other instance has claimed.
 * @param jobs at least one
 */
export async function claimJobs(
  em: EntityManager,
  jobs: readonly DueJob[],
  { claim, now, until }: { claim: string; now: Date; until: Date },
): Promise<ClaimedJob[]> {
  const [at, end] = [now, until].map((time) => toSqlTimestamp(em, time));
  const calls = jobs.filter(({ lane }) => isCallLane(lane)).map(({ id }) => id);
  const targetIds = jobs.filter(({ lane }) => !isCallLane(lane)).map(({ target_id }) => target_id);
  if (calls.length > 0)
    await affectedBy(
      em,
      `UPDATE push_jobs SET due_at = ?, claim = ?, attempts = attempts + 1
       WHERE id IN (${placeholders(calls)}) AND due_at <= ?`,
      [end, claim, ...calls, at],
    );
  if (targetIds.length > 0)
    await affectedBy(
      em,
      `UPDATE push_targets SET busy_until = ?, busy_claim = ?
       WHERE id IN (${placeholders(targetIds)}) AND (busy_until IS NULL OR busy_until <= ?)`,
      [end, claim, ...targetIds, at],
    );
  const ids = jobs.map(({ id }) => id);
  const rows = await queryRows(
    em,
    PushJobEntity,
    `SELECT j.* FROM push_jobs j JOIN push_targets t ON t.id = j.target_id
     WHERE j.id IN (${placeholders(ids)}) AND (j.claim = ? OR (t.busy_claim = ? AND j.claim IS NULL AND j.due_at <= ?))`,
    [...ids, claim, claim, at],
  );
  // Another instance has sent the pushes of these targets since they were found.
  const found = new Set(rows.map(({ target_id }) => target_id));
  await releaseTargets(
    em,
    targetIds.filter((id) => !found.has(id)),
    [claim],
  );
  if (rows.length === 0) return [];
  const targets = await allowedTargets(
    em,
    rows.map(({ target_id }) => target_id),
    now,
  );
  return rows.flatMap((job) => {
    const target = targets.get(job.target_id);
    return target === undefined ? [] : [{ job, claim, ...target }];
  });
}

/** Returns targets, and whether each may receive pushes now. */
async function allowedTargets(
  em: EntityManager,
  ids: readonly number[],
  now: Date,
): Promise<Map<number, { target: PushTargetEntity; isAllowed: boolean }>> {
  const unique = [...new Set(ids)];
  const [targets, allowed] = await Promise.all([
    findRows(em, PushTargetEntity, { id: unique }),
    em.query<{ id: number }[]>(
      `SELECT t.id FROM push_targets t JOIN users u ON u.id = t.user_id AND u.status = 1
       WHERE t.id IN (${placeholders(unique)}) AND ${IS_USABLE} AND ${HAS_SESSION}`,
      [...unique, toSqlTimestamp(em, now), toSqlTimestamp(em, now)],
    ),
  ]);
  const allowedIds = new Set(allowed.map(({ id }) => id));
  return new Map(targets.map((target) => [target.id, { target, isAllowed: allowedIds.has(target.id) }]));
}

/** Makes claimed jobs due again, which were not sent. */
export async function releaseJobs(em: EntityManager, jobs: readonly ClaimedJob[], now: Date): Promise<void> {
  const calls = jobs.filter(({ job }) => job.claim !== null).map(({ job }) => job.id);
  const claims = [...new Set(jobs.map(({ claim }) => claim))];
  if (calls.length > 0)
    await affectedBy(
      em,
      `UPDATE push_jobs SET due_at = ?, claim = NULL, attempts = attempts - 1
       WHERE id IN (${placeholders(calls)}) AND claim IN (${placeholders(claims)})`,
      [toSqlTimestamp(em, now), ...calls, ...claims],
    );
  const leased = jobs.filter(({ job }) => job.claim === null);
  await releaseTargets(
    em,
    leased.map(({ target }) => target.id),
    claims,
  );
}
