import type { EntityManager } from 'typeorm';
import { placeholders, type RawTimestamp, toDate, toDateOrNull } from '../../database/sql/dialect';
import { parseEvents } from '../../outbox/outbox-event';
import type { CountedCall } from '../rules/call-figures.rules';

/* Reads for recounts. */

export type CallRow = CountedCall & { id: number; created_at: Date };

interface RawCall extends Pick<CallRow, 'id' | 'media_type' | 'status' | 'end_reason' | 'ended_by'> {
  created_at: RawTimestamp;
  ring_expires_at: RawTimestamp;
  accepted_at: RawTimestamp | null;
  ended_at: RawTimestamp | null;
}

/** Name of the consumer of domain events that counts calls. */
export const CONSUMER = 'statistics';

const COLUMNS =
  'id, media_type, status, end_reason, ended_by, created_at, ring_expires_at, accepted_at, ended_at';

/** Reads up to `limit` calls after an id, in id order. Stops at the first call that was not created before `before`. */
export async function callsInRange(
  em: EntityManager,
  { after, before }: { after: number; before: Date },
  limit: number,
): Promise<CallRow[]> {
  const rows = await em.query<RawCall[]>(`SELECT ${COLUMNS} FROM calls WHERE id > ? ORDER BY id LIMIT ?`, [
    after,
    limit,
  ]);
  const calls = rows.map(toCall);
  const end = calls.findIndex(({ created_at }) => created_at >= before);
  return end === -1 ? calls : calls.slice(0, end);
}

/** Reads calls by their ids, at least one. */
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
  accepted_at: toDateOrNull(row.accepted_at),
  ended_at: toDateOrNull(row.ended_at),
});

/**
 * Returns the ids of calls whose `call.ended` event is still to be dispatched to the statistics, so that they are not
 * counted yet.
 */
export async function unroutedEnds(em: EntityManager): Promise<Set<number>> {
  const rows = await em.query<{ events: string }[]>(
    `SELECT events FROM domain_events WHERE COALESCE(consumer, '${CONSUMER}') = '${CONSUMER}'
       AND (position IS NULL OR position > (SELECT position FROM domain_event_positions WHERE name = '${CONSUMER}'))`,
  );
  const ends = rows.flatMap(({ events }) => parseEvents(events)).filter(({ type }) => type === 'call.ended');
  return new Set(ends.map(({ subject }) => Number(subject.slice('call:'.length))));
}

/** A `before` that excludes nothing. */
export const EVER = new Date('9999-12-31T00:00:00.000Z');
