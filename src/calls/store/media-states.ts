import { type EntityManager, In } from 'typeorm';
import type { CallId, UserId } from '../../common/ids';
import { given, orUpdate, placeholders, toMoment, tuples } from '../../database/dialect';
import { CallMediaStateEntity } from '../entities/call-media-state.entity';

/** Terminals name themselves; so many of one user are kept for a call, those that reported last. */
const TERMINALS_KEPT = 20;
const KEY = ['call_id', 'user_id', 'terminal_id'] as const;
const TOLD = ['stage', 'network_quality'] as const;

/** What a terminal tells; undefined: what it does not mention. */
export interface MediaReport {
  userId: UserId;
  callId: CallId;
  terminalId: string;
  stage?: string | undefined;
  network_quality?: string | undefined;
}

/**
 * Keeps the latest report of each of a user's terminals in a call (contract 3.2). What a report does not mention stays
 * as it was last reported.
 * @param reports in the order in which they came
 */
export async function storeReports(
  em: EntityManager,
  reports: readonly MediaReport[],
  now: Date,
): Promise<void> {
  const latest = [...Map.groupBy(reports, keyOf).values()].map(joinReports);
  const alike = Map.groupBy(latest, (report) => mentionedBy(report).join());
  for (const group of alike.values()) await upsert(em, group, now);
  await forgetOldTerminals(em, latest);
}

const keyOf = ({ callId, userId, terminalId }: MediaReport): string => `${callId}:${userId}:${terminalId}`;

const mentionedBy = (report: MediaReport) => TOLD.filter((name) => report[name] !== undefined);

/** Several reports of one terminal as one. */
function joinReports(reports: MediaReport[]): MediaReport {
  const joined = { ...(reports[0] as MediaReport) };
  for (const report of reports) for (const name of mentionedBy(report)) joined[name] = report[name];
  return joined;
}

/** @param reports that mention the same columns */
async function upsert(em: EntityManager, reports: MediaReport[], now: Date): Promise<void> {
  const changed = [...mentionedBy(reports[0] as MediaReport), 'reported_at'] as const;
  const columns = [...KEY, ...changed];
  const rows = reports.map((report) => ({
    call_id: report.callId,
    user_id: report.userId,
    terminal_id: report.terminalId,
    stage: report.stage,
    network_quality: report.network_quality,
    reported_at: toMoment(em, now),
  }));
  const assignments = changed.map((name) => `${name} = ${given(em, name)}`).join(', ');
  await em.query(
    `INSERT INTO call_media_states (${columns.join(', ')}) VALUES ${tuples(rows, placeholders(columns))}
     ${orUpdate(em, KEY, assignments)}`,
    rows.flatMap((row) => columns.map((name) => row[name])),
  );
}

/** Those that have just reported come first, the last of them before all. */
async function forgetOldTerminals(em: EntityManager, reports: readonly MediaReport[]): Promise<void> {
  const callIds = [...new Set(reports.map(({ callId }) => callId))];
  const crowded = await em.query<{ call_id: CallId; user_id: UserId }[]>(
    `SELECT call_id, user_id FROM call_media_states WHERE call_id IN (${placeholders(callIds)})
     GROUP BY call_id, user_id HAVING COUNT(*) > ${TERMINALS_KEPT}`,
    callIds,
  );
  for (const ofUser of crowded) {
    const states = await em.find(CallMediaStateEntity, {
      select: { terminal_id: true },
      where: ofUser,
      order: { reported_at: 'DESC' },
    });
    const own = reports.filter(
      ({ callId, userId }) => callId === ofUser.call_id && userId === ofUser.user_id,
    );
    const newest = [
      ...own.map(({ terminalId }) => terminalId).toReversed(),
      ...states.map((s) => s.terminal_id),
    ];
    const surplus = [...new Set(newest)].slice(TERMINALS_KEPT);
    await em.delete(CallMediaStateEntity, { ...ofUser, terminal_id: In(surplus) });
  }
}
