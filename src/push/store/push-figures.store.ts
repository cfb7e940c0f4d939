import type { EntityManager } from 'typeorm';
import {
  type RawCount,
  type RawTimestamp,
  toCount,
  toDate,
  toSqlTimestamp,
} from '../../database/sql/dialect';
import type { PushKind, TargetState } from '../entities/push-target.entity';
import { isUnresponsiveLane, lanesOf } from '../rules/push-lanes.rules';

/* Figures of the push queue, of all instances. */

export interface PushBacklog {
  /** Number of due pushes. */
  due: number;
  /** Number of due pushes without those to unresponsive endpoints, which wait for their own user's. */
  dueToResponsive: number;
  /** Milliseconds by which the oldest push in `dueToResponsive` is overdue; 0 if there are none. */
  overdueMs: number;
  /** Number of audiences whose pushes are not all queued yet. */
  fanouts: number;
}

interface DueInLane {
  lane: number | null;
  due: RawCount;
  earliest: RawTimestamp | null;
}

/**
 * Reads the backlog of kinds from the index of due times.
 * @param kinds the configured ones, because no instance sends the pushes of others
 */
export async function readPushBacklog(
  em: EntityManager,
  kinds: readonly PushKind[],
  now: Date,
): Promise<PushBacklog> {
  const at = toSqlTimestamp(em, now);
  const lanes = lanesOf(kinds);
  // A lane without due pushes has the row null, 0, null.
  const parts = lanes.map(
    () => `SELECT MIN(lane) AS lane, COUNT(*) AS due, MIN(due_at) AS earliest
      FROM push_jobs WHERE lane = ? AND due_at <= ?`,
  );
  const rows =
    lanes.length === 0
      ? []
      : await em.query<DueInLane[]>(
          parts.join(' UNION ALL '),
          lanes.flatMap((lane) => [lane, at]),
        );
  const responsive = rows.filter(({ lane }) => lane !== null && !isUnresponsiveLane(lane));
  const [fanouts] = await em.query<{ n: RawCount }[]>('SELECT COUNT(*) AS n FROM push_fanouts');
  const overdueMs = responsive.map(({ earliest }) =>
    earliest === null ? 0 : now.getTime() - toDate(earliest).getTime(),
  );
  return {
    due: sumOf(rows),
    dueToResponsive: sumOf(responsive),
    overdueMs: Math.max(0, ...overdueMs),
    fanouts: toCount(fanouts?.n),
  };
}

const sumOf = (rows: readonly { due: RawCount }[]): number =>
  rows.reduce((sum, { due }) => sum + toCount(due), 0);

/** Counts of the targets of one kind. */
export type TargetCounts = Partial<Record<TargetState, number>> & { received: number };

/** Counts targets by kind and state. */
export async function readTargetCounts(em: EntityManager): Promise<Map<PushKind, TargetCounts>> {
  const rows = await em.query<{ kind: PushKind; state: TargetState; n: RawCount; received: RawCount }[]>(
    'SELECT kind, state, COUNT(*) AS n, SUM(received) AS received FROM push_targets GROUP BY kind, state',
  );
  const counts = new Map<PushKind, TargetCounts>();
  for (const { kind, state, n, received } of rows) {
    const known = counts.get(kind) ?? { received: 0 };
    counts.set(kind, { ...known, [state]: toCount(n), received: known.received + toCount(received) });
  }
  return counts;
}
