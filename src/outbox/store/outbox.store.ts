import type { EntityManager } from 'typeorm';
import { inChunks } from '../../common/concurrency/chunks';
import {
  forcePrimaryKey,
  deleteByPrimaryKey,
  lockingEnd,
  placeholders,
  type RawCount,
  type RawTimestamp,
  toCount,
  toDate,
  toSqlTimestamp,
} from '../../database/sql/dialect';
import { affectedBy, insertAllotted } from '../../database/sql/statements';
import { OutboxEntity } from '../entities/outbox.entity';
import type { OutboxEvent } from '../outbox-consumer';

/** Maximum number of rows per INSERT: a payload is at most some kilobytes, and a packet of the database 16 MB. */
const ROWS_PER_INSERT = 100;

/** A new row of the outbox. */
export type NewRow = Pick<OutboxEntity, 'event_id' | 'type' | 'subject' | 'payload' | 'created_at'>;

/** Ids of rows, and the lease under which they were claimed. */
export interface Lease {
  ids: readonly number[];
  claim: string;
}

/** A domain event with the id of its row. */
export interface ClaimedEvent {
  id: number;
  event: OutboxEvent;
}

/** Inserts domain events, claimed until they are due, or unclaimed and due immediately. Returns their ids in order. */
export async function insertOutboxEvents(
  em: EntityManager,
  rows: readonly NewRow[],
  claimed: Pick<OutboxEntity, 'claim' | 'due_at'>,
): Promise<number[]> {
  const ids: number[] = [];
  for (const chunk of inChunks(rows, ROWS_PER_INSERT))
    ids.push(
      ...(await insertAllotted(
        em,
        OutboxEntity,
        chunk.map((row) => ({ ...row, ...claimed })),
      )),
    );
  return ids;
}

/**
 * Returns the ids of at most `limit` due rows, longest due first. Takes no locks, so another instance may read the
 * same rows.
 */
export async function dueOutboxEvents(em: EntityManager, now: Date, limit: number): Promise<number[]> {
  const rows = await em.query<{ id: number }[]>(
    'SELECT id FROM outbox WHERE due_at <= ? ORDER BY due_at, id LIMIT ?',
    [toSqlTimestamp(em, now), limit],
  );
  return rows.map(({ id }) => id);
}

/**
 * Claims those of at least one row that are still due. No other instance can claim them until the lease ends.
 * @returns the number of claimed rows
 */
export function claimOutboxEvents(
  em: EntityManager,
  { ids, claim }: Lease,
  { now, until }: { now: Date; until: Date },
): Promise<number> {
  return affectedBy(
    em,
    `UPDATE outbox ${forcePrimaryKey(em)} SET claim = ?, due_at = ?
     WHERE id IN (${placeholders(ids)}) AND due_at <= ?`,
    [claim, toSqlTimestamp(em, until), ...ids, toSqlTimestamp(em, now)],
  );
}

type Row = Omit<NewRow, 'created_at'> & { created_at: RawTimestamp };

/** Locks the rows that still belong to the lease, and returns them in insertion order. */
export async function lockOutboxEvents(em: EntityManager, { ids, claim }: Lease): Promise<OutboxEvent[]> {
  const rows = await em.query<Row[]>(
    `SELECT event_id, type, subject, payload, created_at FROM outbox
     WHERE id IN (${placeholders(ids)}) AND claim = ? ORDER BY id${lockingEnd(em)}`,
    [...ids, claim],
  );
  return rows.map((row) => toOutboxEvent({ ...row, created_at: toDate(row.created_at) }));
}

/** Converts a row to the form that is dispatched. */
export const toOutboxEvent = ({ event_id, type, subject, payload, created_at }: NewRow): OutboxEvent => ({
  eventId: event_id,
  type,
  subject,
  payload,
  at: created_at,
});

/** Deletes the rows that still belong to the lease, and returns their number. */
export const deleteOutboxEvents = (em: EntityManager, { ids, claim }: Lease): Promise<number> =>
  affectedBy(em, `${deleteByPrimaryKey(em, 'outbox')} WHERE id IN (${placeholders(ids)}) AND claim = ?`, [
    ...ids,
    claim,
  ]);

/** Returns the number of undispatched rows and the time of the oldest one; undefined if there are none. */
export async function backlog(em: EntityManager): Promise<{ rows: number; since: Date | undefined }> {
  const [row] = await em.query<{ waiting: RawCount; since: RawTimestamp | null }[]>(
    `SELECT (SELECT COUNT(*) FROM outbox) AS waiting,
       (SELECT created_at FROM outbox ORDER BY id LIMIT 1) AS since`,
  );
  return { rows: toCount(row?.waiting), since: row?.since ? toDate(row.since) : undefined };
}

/** Returns the earliest due time, which for a claimed row is the end of its lease; undefined if the outbox is empty. */
export async function longestDue(em: EntityManager): Promise<Date | undefined> {
  const [row] = await em.query<{ due_at: RawTimestamp | null }[]>('SELECT MIN(due_at) AS due_at FROM outbox');
  return row?.due_at ? toDate(row.due_at) : undefined;
}
