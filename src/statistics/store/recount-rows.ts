import type { EntityManager } from 'typeorm';
import { isSqlite, placeholders, type RawMoment, toDate } from '../../database/dialect';
import type { ToldCall } from '../rules/finished-call';

/* What a recount reads. */

/**
 * All that the transaction reads from here on is as it was at one moment. It must be the first statement, and such a
 * transaction must change nothing. On SQLite a transaction is alone anyway.
 */
export async function readOneMoment(em: EntityManager): Promise<void> {
  if (!isSqlite(em)) await em.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
}

export type CallRow = ToldCall & { id: number; created_at: Date; ended_at: Date | null };

interface RawCall extends Pick<CallRow, 'id' | 'media_type' | 'status' | 'end_reason' | 'ended_by'> {
  created_at: RawMoment;
  ring_expires_at: RawMoment;
  accepted_at: RawMoment | null;
  ended_at: RawMoment | null;
}

const COLUMNS =
  'id, media_type, status, end_reason, ended_by, created_at, ring_expires_at, accepted_at, ended_at';

/** Up to `most` calls that come after an id and were made before a moment; the first that was not ends them. */
export async function callsAlong(
  em: EntityManager,
  { after, before }: { after: number; before: Date },
  most: number,
): Promise<CallRow[]> {
  const rows = await em.query<RawCall[]>(`SELECT ${COLUMNS} FROM calls WHERE id > ? ORDER BY id LIMIT ?`, [
    after,
    most,
  ]);
  const calls = rows.map(toCall);
  const end = calls.findIndex(({ created_at }) => created_at >= before);
  return end === -1 ? calls : calls.slice(0, end);
}

/** Calls by their ids, at least one. */
export async function callsOf(em: EntityManager, ids: readonly number[]): Promise<CallRow[]> {
  const rows = await em.query<RawCall[]>(`SELECT ${COLUMNS} FROM calls WHERE id IN (${placeholders(ids)})`, [
    ...ids,
  ]);
  return rows.map(toCall);
}

const toCall = (row: RawCall): CallRow => ({
  ...row,
  created_at: toDate(row.created_at),
  ring_expires_at: toDate(row.ring_expires_at),
  accepted_at: row.accepted_at === null ? null : toDate(row.accepted_at),
  ended_at: row.ended_at === null ? null : toDate(row.ended_at),
});

/** Those calls whose ends are still to be routed, and so to be counted. */
export async function unroutedEnds(em: EntityManager): Promise<Set<number>> {
  const rows = await em.query<{ subject: string }[]>(`SELECT subject FROM outbox WHERE type = 'call.ended'`);
  return new Set(rows.map(({ subject }) => Number(subject.slice('call:'.length))));
}

/** A moment as a parameter that stands for "whenever". */
export const EVER = new Date('9999-12-31T00:00:00.000Z');
