import type { EntityManager } from 'typeorm';
import { inChunks } from '../../common/concurrency/chunks';
import {
  deleteByPrimaryKey,
  placeholders,
  type RawCount,
  type RawTimestamp,
  toCount,
  toDate,
} from '../../database/sql/dialect';
import { affectedBy, insertRows, updateEach } from '../../database/sql/statements';
import { DomainEventBatchEntity } from '../entities/domain-event-batch.entity';
import { type OutboxEvent, parseEvents } from '../outbox-event';

/** Maximum number of domain events in a row. */
const EVENTS_PER_ROW = 20;
/** Number of domain events from which a page has no further row: a consumer handles them in one transaction. */
const EVENTS_PER_PAGE = 500;
/** Maximum number of rows per SELECT: the longest events of more rows would take tens of megabytes of memory. */
const ROWS_PER_SELECT = 25;
/** Maximum number of rows per INSERT. A row can have 20 payloads of some kilobytes, and a packet of the database is 16 MB. */
const ROWS_PER_INSERT = 5;
/** Name of the row with the highest assigned position. */
export const HEAD = 'head';

/** The domain events that a consumer has to handle next. */
export interface DomainEventPage {
  /** The position of the consumer. */
  from: number;
  /** Its position once the page is handled; undefined: the page is empty. */
  to: number | undefined;
  events: OutboxEvent[];
  /** Whether the page has the maximum number of rows or domain events, so that there may be more. */
  isFull: boolean;
}

/**
 * Inserts domain events. They have no position yet.
 * @param consumer handles them alone; by default all consumers do
 */
export async function insertDomainEvents(
  em: EntityManager,
  events: readonly OutboxEvent[],
  consumer: string | null = null,
): Promise<void> {
  const rows = Array.from(inChunks(events, EVENTS_PER_ROW), (chunk) => ({
    events: JSON.stringify(chunk),
    created_at: chunk[0]?.at,
    consumer,
  }));
  for (const chunk of inChunks(rows, ROWS_PER_INSERT)) await insertRows(em, DomainEventBatchEntity, chunk);
}

/**
 * Returns the ids of at most `limit` committed rows without a position, in the order of insertion, and the head at the
 * same moment. Takes no locks, so it does not wait for rows that are not committed yet.
 */
export async function unnumberedRows(
  em: EntityManager,
  limit: number,
): Promise<{ head: number; ids: number[] }> {
  const rows = await em.query<{ head: number; id: number }[]>(
    `SELECT h.position AS head, e.id FROM domain_event_positions h JOIN domain_events e ON e.position IS NULL
     WHERE h.name = ? ORDER BY e.id LIMIT ?`,
    [HEAD, limit],
  );
  return { head: rows[0]?.head ?? 0, ids: rows.map(({ id }) => id) };
}

/** Assigns the positions after `head` to rows, in the given order. */
export const assignPositions = (em: EntityManager, ids: readonly number[], head: number): Promise<void> =>
  updateEach(
    em,
    DomainEventBatchEntity,
    'id',
    ids.map((id, index) => ({ id, position: head + index + 1 })),
  );

/**
 * Moves a position, and locks its row, if it is still `from`. Waits for another transaction that is moving it.
 * @returns whether it was
 */
export async function movePosition(
  em: EntityManager,
  name: string,
  { from, to }: { from: number; to: number },
): Promise<boolean> {
  const sql = 'UPDATE domain_event_positions SET position = ? WHERE name = ? AND position = ?';
  return (await affectedBy(em, sql, [to, name, from])) > 0;
}

/**
 * Returns the domain events of at most `limit` rows after the position of a consumer, in order. Reads no further row
 * from 500 events on, and at most 25 rows at once, so that there are at most 999.
 */
export async function eventsAfterPosition(
  em: EntityManager,
  name: string,
  limit: number,
): Promise<DomainEventPage> {
  const page: DomainEventPage = { from: 0, to: undefined, events: [], isFull: false };
  let left = limit;
  while (left > 0 && page.events.length < EVENTS_PER_PAGE) {
    const count = Math.min(left, ROWS_PER_SELECT);
    const rows = await em.query<
      { start: number; position: number; events: string; consumer: string | null }[]
    >(
      `SELECT c.position AS start, e.position, e.events, e.consumer
       FROM domain_event_positions c JOIN domain_events e ON e.position > c.position + ?
       WHERE c.name = ? ORDER BY e.position LIMIT ?`,
      [page.to === undefined ? 0 : page.to - page.from, name, count],
    );
    for (const row of rows) {
      if (page.to === undefined) page.from = row.start;
      page.to = row.position;
      if (row.consumer === null || row.consumer === name) page.events.push(...parseEvents(row.events));
    }
    if (rows.length < count) return page;
    left -= count;
  }
  return { ...page, isFull: true };
}

/** The position up to which every consumer has handled all domain events. */
const HANDLED = '(SELECT MIN(position) FROM domain_event_positions)';

/** Deletes at most `limit` rows that every consumer has handled, and returns their number. */
export async function trimDomainEvents(em: EntityManager, limit: number): Promise<number> {
  const rows = await em.query<{ id: number }[]>(
    `SELECT id FROM domain_events WHERE position <= ${HANDLED} ORDER BY position LIMIT ?`,
    [limit],
  );
  const ids = rows.map(({ id }) => id);
  const start = deleteByPrimaryKey(em, 'domain_events');
  return ids.length === 0 ? 0 : affectedBy(em, `${start} WHERE id IN (${placeholders(ids)})`, ids);
}

/** Returns the number of rows that a consumer has still to handle, and the time of the oldest one. */
export async function backlog(em: EntityManager): Promise<{ rows: number; since: Date | undefined }> {
  // Two parts, each of which is a range of the index: the oldest row is found without reading the others.
  const parts = ['position IS NULL', `position > ${HANDLED}`].map(
    (condition) =>
      `SELECT COUNT(*) AS waiting, (SELECT created_at FROM domain_events WHERE ${condition}
         ORDER BY position, id LIMIT 1) AS since FROM domain_events WHERE ${condition}`,
  );
  const rows = await em.query<{ waiting: RawCount; since: RawTimestamp | null }[]>(parts.join(' UNION ALL '));
  const times = rows.flatMap(({ since }) => (since === null ? [] : [toDate(since).getTime()]));
  const sum = rows.reduce((count, { waiting }) => count + toCount(waiting), 0);
  return { rows: sum, since: times.length === 0 ? undefined : new Date(Math.min(...times)) };
}
