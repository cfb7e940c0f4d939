import type { EntityManager } from 'typeorm';
import { inChunks } from '../../common/concurrency/chunks';
import {
  byIndex,
  excluded,
  insertIgnore,
  lockingEnd,
  onConflictUpdate,
  placeholders,
  toSqlTimestamp,
  tupleListOfChange,
  tuples,
} from '../../database/sql/dialect';
import { affectedBy, deleteRows, lockRows, updateEach, updateRows } from '../../database/sql/statements';
import { PushJobEntity } from '../entities/push-job.entity';
import { PUSH_KINDS, PushTargetEntity } from '../entities/push-target.entity';
import { lanesOf } from '../rules/push-lanes.rules';
import type { JobResult } from '../rules/push-result.rules';

/* Writes of the queue (API 18.2). */

const COLUMNS = [
  'target_id',
  'topic',
  'user_id',
  'type',
  'lane',
  'rev',
  'due_at',
  'caused_at',
  'expires_at',
] as const;

/** A wish for a target: it should show the current state of an object. */
export type WishedPush = Pick<
  PushJobEntity,
  'target_id' | 'topic' | 'user_id' | 'type' | 'lane' | 'caused_at' | 'expires_at'
> & { due_at: Date };

/** Returns the values of `COLUMNS` of a new row. */
const valuesOf = (em: EntityManager, { due_at, caused_at, expires_at, ...row }: WishedPush): unknown[] => [
  row.target_id,
  row.topic,
  row.user_id,
  row.type,
  row.lane,
  1,
  ...[due_at, caused_at, expires_at].map((time) => toSqlTimestamp(em, time)),
];

/**
 * Inserts wishes, or raises `rev` of existing ones. A push that is due already stays due; another one waits for the
 * distance to the previous push.
 */
export async function wish(em: EntityManager, wishes: readonly WishedPush[]): Promise<void> {
  for (const chunk of inChunks(wishes)) {
    const due = excluded(em, 'due_at');
    // MySQL assigns from left to right, so the conditions on `due_at` come before its assignment.
    const assignments = [
      'rev = rev + 1',
      `caused_at = CASE WHEN due_at IS NULL THEN ${excluded(em, 'caused_at')} ELSE caused_at END`,
      `due_at = CASE WHEN due_at IS NOT NULL THEN due_at WHEN next_at > ${due} THEN next_at ELSE ${due} END`,
      `expires_at = ${excluded(em, 'expires_at')}`,
    ];
    await em.query(
      `INSERT INTO push_jobs (${COLUMNS.join(', ')}) VALUES ${tuples(chunk, placeholders(COLUMNS))}
       ${onConflictUpdate(em, ['target_id', 'topic'], assignments.join(', '))}`,
      chunk.flatMap((row) => valuesOf(em, row)),
    );
  }
}

/**
 * Returns the table with the hint to find rows by their topics. Without it, MariaDB scans, and so locks, the whole queue
 * if the list of topics is not short compared with it.
 */
const byTopic = (em: EntityManager): string => `push_jobs ${byIndex(em, 'ix_push_jobs_topic')}`;

/** Assignments that make existing rows due now, on a condition. */
const dueNowIf = (condition: string): string =>
  `rev = rev + 1, caused_at = CASE WHEN due_at IS NULL THEN ? ELSE caused_at END,
   due_at = CASE WHEN ${condition} AND (due_at IS NULL OR due_at > ?) THEN ? ELSE due_at END`;

/** Claimed calls keep the end of their lease. */
const CALL_DUE = dueNowIf('claim IS NULL');

/**
 * A push that a terminal shows is removed immediately. One that waits for its distance or for `Retry-After` keeps its
 * due time: it is composed, or ends, when it is due.
 */
const SHOWN_DUE = dueNowIf('shown = 1 AND attempts = 0');

/** Raises `rev` of all rows of these calls, which are due now. Returns their number. */
export function raiseCalls(em: EntityManager, topics: readonly string[], now: Date): Promise<number> {
  return raiseTopics(em, CALL_DUE, { topics, now });
}

/** Raises `rev` of all rows of these conversations; what terminals show of them is due now. */
export async function raiseRecalled(em: EntityManager, topics: readonly string[], now: Date): Promise<void> {
  await raiseTopics(em, SHOWN_DUE, { topics, now });
}

function raiseTopics(
  em: EntityManager,
  assignments: string,
  { topics, now }: { topics: readonly string[]; now: Date },
): Promise<number> {
  const at = toSqlTimestamp(em, now);
  return affectedBy(em, `UPDATE ${byTopic(em)} SET ${assignments} WHERE topic IN (${placeholders(topics)})`, [
    at,
    at,
    at,
    ...topics,
  ]);
}

/** Raises `rev` of the rows of users with a topic; what terminals show of it is due now. */
export async function raiseSeen(
  em: EntityManager,
  seen: readonly { userId: number; topic: string }[],
  now: Date,
): Promise<void> {
  const at = toSqlTimestamp(em, now);
  for (const chunk of inChunks(seen))
    await affectedBy(
      em,
      `UPDATE ${byTopic(em)} SET ${SHOWN_DUE} WHERE (topic, user_id) IN ${tupleListOfChange(em, chunk, '?, ?')}`,
      [at, at, at, ...chunk.flatMap(({ topic, userId }) => [topic, userId])],
    );
}

/** Raises `rev` of all rows of a user's notifications; those that terminals show are due now. */
export async function raiseNotifications(em: EntityManager, userId: number, now: Date): Promise<void> {
  const at = toSqlTimestamp(em, now);
  // Read first: MariaDB before 11.1 scans the whole queue for an UPDATE with a subquery.
  const targets = await em.query<{ id: number }[]>('SELECT id FROM push_targets WHERE user_id = ?', [userId]);
  if (targets.length === 0) return;
  await affectedBy(
    em,
    `UPDATE push_jobs SET ${SHOWN_DUE}
     WHERE target_id IN (${placeholders(targets)}) AND type = 'notification'`,
    [at, at, at, ...targets.map(({ id }) => id)],
  );
}

/** A VoIP push of a call that may have arrived, and the target that shows alerts on the same terminal. */
export interface VoipRing {
  topic: string;
  userId: number;
  alertTargetId: number;
}

/** Returns the VoIP pushes of calls that may have arrived. Locks the rows, so it sees claims of this moment. */
export async function voipRings(
  em: EntityManager,
  topics: readonly string[],
  lane: number,
): Promise<VoipRing[]> {
  return em.query<VoipRing[]>(
    `SELECT j.topic, j.user_id AS userId, a.id AS alertTargetId FROM push_jobs j
     JOIN push_targets t ON t.id = j.target_id
     JOIN push_targets a ON a.user_id = t.user_id AND a.terminal_id = t.terminal_id AND a.kind = 'apns'
     WHERE j.topic IN (${placeholders(topics)}) AND j.lane = ? AND (j.attempts > 0 OR j.sent_rev > 0)${lockingEnd(em)}`,
    [...topics, lane],
  );
}

/** Inserts rows of targets that may show an object although they have sent nothing. Existing rows stay. */
export async function insertShown(em: EntityManager, wishes: readonly WishedPush[]): Promise<void> {
  if (wishes.length === 0) return;
  const columns = [...COLUMNS, 'shown'];
  await em.query(
    `${insertIgnore(em)} INTO push_jobs (${columns.join(', ')}) VALUES ${tuples(wishes, placeholders(columns))}`,
    wishes.flatMap((row) => [...valuesOf(em, row), 1]),
  );
}

/** Locks jobs, in the order of their ids, and returns those that still exist. */
export const lockJobs = (em: EntityManager, ids: readonly number[]): Promise<PushJobEntity[]> =>
  lockRows(em, PushJobEntity, { id: ids }, 'id');

export async function updateJobs(em: EntityManager, rows: JobResult[]): Promise<void> {
  if (rows.length > 0) await updateEach(em, PushJobEntity, 'id', rows);
}

export async function deleteJobs(em: EntityManager, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await deleteRows(em, PushJobEntity, { id: ids });
}

/** Locks the targets of jobs whose leases have one of the claims, and returns their claims by target id. */
export async function lockLeases(
  em: EntityManager,
  ids: readonly number[],
  claims: readonly string[],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await em.query<{ id: number; busy_claim: string }[]>(
    `SELECT id, busy_claim FROM push_targets
     WHERE id IN (${placeholders(ids)}) AND busy_claim IN (${placeholders(claims)}) ORDER BY id${lockingEnd(em)}`,
    [...ids, ...claims],
  );
  return new Map(rows.map(({ id, busy_claim }) => [id, busy_claim]));
}

/** Ends the leases of targets. */
export async function releaseTargets(
  em: EntityManager,
  ids: readonly number[],
  claims: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const released = { busy_until: null, busy_claim: null };
  await updateRows(em, PushTargetEntity, { id: ids, busy_claim: claims }, released);
}

/**
 * Deletes at most `limit` due jobs without a target, and returns their number. Routing reads the targets without a lock,
 * so it may queue a push to a target that a log-out or a provider's response is deleting: no claim finds such a job.
 */
export async function deleteOrphanedJobs(em: EntityManager, now: Date, limit: number): Promise<number> {
  const lanes = lanesOf(PUSH_KINDS);
  const rows = await em.query<{ id: number }[]>(
    `SELECT j.id FROM push_jobs j LEFT JOIN push_targets t ON t.id = j.target_id
     WHERE j.lane IN (${placeholders(lanes)}) AND j.due_at <= ? AND t.id IS NULL LIMIT ?`,
    [...lanes, toSqlTimestamp(em, now), limit],
  );
  await deleteJobs(
    em,
    rows.map(({ id }) => id),
  );
  return rows.length;
}

/** Deletes at most `limit` expired jobs and returns their number. */
export async function trimJobs(em: EntityManager, now: Date, limit: number): Promise<number> {
  const rows = await em.query<{ id: number }[]>(
    'SELECT id FROM push_jobs WHERE expires_at < ? ORDER BY expires_at LIMIT ?',
    [toSqlTimestamp(em, now), limit],
  );
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0)
    await affectedBy(em, `DELETE FROM push_jobs WHERE id IN (${placeholders(ids)}) AND expires_at < ?`, [
      ...ids,
      toSqlTimestamp(em, now),
    ]);
  return ids.length;
}
