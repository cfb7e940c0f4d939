import { type EntityManager, In } from 'typeorm';
import type { CallId, UserId } from '../../common/ids';
import { excluded, onConflictUpdate, placeholders, toSqlTimestamp, tuples } from '../../database/sql/dialect';
import { CallMediaStateEntity } from '../entities/call-media-state.entity';

/** Maximum number of terminals stored per user and call. It is limited because clients choose terminal ids freely. */
const MAX_TERMINALS = 20;
const KEY = ['call_id', 'user_id', 'terminal_id'] as const;
const REPORTED_COLUMNS = ['stage', 'network_quality'] as const;

/** A media report of a terminal. Undefined fields were not reported. */
export interface MediaReport {
  userId: UserId;
  callId: CallId;
  terminalId: string;
  stage?: string | undefined;
  network_quality?: string | undefined;
}

/** Returns the last reports of the terminals in a call, oldest first. */
export const mediaStatesOf = (em: EntityManager, callId: CallId): Promise<CallMediaStateEntity[]> =>
  em.find(CallMediaStateEntity, {
    where: { call_id: callId },
    order: { reported_at: 'ASC', user_id: 'ASC', terminal_id: 'ASC' },
  });

/**
 * Stores the latest report of each of a user's terminals in a call (API 5.5). A field that is not reported keeps
 * its stored value.
 * @param reports in order of arrival
 */
export async function storeReports(
  em: EntityManager,
  reports: readonly MediaReport[],
  now: Date,
): Promise<void> {
  const latest = [...Map.groupBy(reports, keyOf).values()].map(mergeReports);
  const byColumns = Map.groupBy(latest, (report) => reportedColumnsOf(report).join());
  for (const group of byColumns.values()) await upsert(em, group, now);
  await deleteOldTerminals(em, latest);
}

const keyOf = ({ callId, userId, terminalId }: MediaReport): string => `${callId}:${userId}:${terminalId}`;

const reportedColumnsOf = (report: MediaReport) =>
  REPORTED_COLUMNS.filter((name) => report[name] !== undefined);

/** Merges several reports of one terminal; later values win. */
function mergeReports(reports: MediaReport[]): MediaReport {
  const merged = { ...(reports[0] as MediaReport) };
  for (const report of reports) for (const name of reportedColumnsOf(report)) merged[name] = report[name];
  return merged;
}

/** @param reports which all contain the same columns */
async function upsert(em: EntityManager, reports: MediaReport[], now: Date): Promise<void> {
  const changed = [...reportedColumnsOf(reports[0] as MediaReport), 'reported_at'] as const;
  const columns = [...KEY, ...changed];
  const rows = reports.map((report) => ({
    call_id: report.callId,
    user_id: report.userId,
    terminal_id: report.terminalId,
    stage: report.stage,
    network_quality: report.network_quality,
    reported_at: toSqlTimestamp(em, now),
  }));
  const assignments = changed.map((name) => `${name} = ${excluded(em, name)}`).join(', ');
  await em.query(
    `INSERT INTO call_media_states (${columns.join(', ')}) VALUES ${tuples(rows, placeholders(columns))}
     ${onConflictUpdate(em, KEY, assignments)}`,
    rows.flatMap((row) => columns.map((name) => row[name])),
  );
}

/** Deletes the terminals beyond the maximum. Those in `reports` count as the newest, the last one first. */
async function deleteOldTerminals(em: EntityManager, reports: readonly MediaReport[]): Promise<void> {
  const callIds = [...new Set(reports.map(({ callId }) => callId))];
  const exceeding = await em.query<{ call_id: CallId; user_id: UserId }[]>(
    `SELECT call_id, user_id FROM call_media_states WHERE call_id IN (${placeholders(callIds)})
     GROUP BY call_id, user_id HAVING COUNT(*) > ${MAX_TERMINALS}`,
    callIds,
  );
  for (const userInCall of exceeding) {
    const states = await em.find(CallMediaStateEntity, {
      select: { terminal_id: true },
      where: userInCall,
      order: { reported_at: 'DESC' },
    });
    const userReports = reports.filter(
      ({ callId, userId }) => callId === userInCall.call_id && userId === userInCall.user_id,
    );
    const newest = [
      ...userReports.map(({ terminalId }) => terminalId).toReversed(),
      ...states.map((s) => s.terminal_id),
    ];
    const surplus = [...new Set(newest)].slice(MAX_TERMINALS);
    await em.delete(CallMediaStateEntity, { ...userInCall, terminal_id: In(surplus) });
  }
}
