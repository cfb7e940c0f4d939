import type { EntityManager } from 'typeorm';
import { inChunks } from '../../common/concurrency/chunks';
import { excluded, onConflictUpdate, toSqlTimestamp, tuples } from '../../database/sql/dialect';
import { insertAllotted } from '../../database/sql/statements';
import { pipeline } from '../../database/transaction-statements';
import { EventPayloadEntity } from '../entities/event-payload.entity';
import { decodePayloads, type PendingEvents } from './event-encoding';
import type { LogId } from './log-id';

/* Writes events: a text that several events of a transaction share in one row, and one row per event or run. */

/** Minimum number of characters saved by a shared text. Sharing costs a row and a join, so saving less does not pay. */
const MIN_SAVING = 2_000;
/** Maximum number of rows per INSERT. */
const ROWS_PER_INSERT = 500;
/** Maximum number of payload characters per INSERT, which must fit into a packet of the database (16 MB). */
const CHARACTERS_PER_INSERT = 1_000_000;

/** A row of an event or a run, without its number. */
interface NewRow extends Pick<PendingEvents, 'log' | 'type' | 'length' | 'line' | 'number'> {
  payloadId: number | null;
  payload: string;
}

/** A row with its position. `later`: number of events of the same log and transaction after it. */
type EventRow = NewRow & { later: number };

/**
 * Writes events before the commit of a transaction, logs in ascending order, so that writers do not deadlock. Returns
 * when the last statements are sent.
 */
export async function writeEvents(
  em: EntityManager,
  events: readonly PendingEvents[],
  now: Date,
): Promise<void> {
  const byLog = Map.groupBy(await shareTexts(em, events, now), ({ log }) => log);
  const logs = [...byLog].toSorted(([a], [b]) => a - b);
  for (const chunk of inChunks(logs)) {
    const positioned = chunk.map(([log, rows]) => ({ log, ...withPositions(rows) }));
    const counts = positioned.map(({ log, count }) => [log, count] as const);
    pipeline(em, advanceCursors(em, counts));
    await insertEvents(
      em,
      positioned.flatMap(({ rows }) => rows),
      now,
    );
  }
}

/** Adds to each row of one log the number of events after it, and counts the events of all rows. */
function withPositions<Row extends { length: number }>(
  rows: readonly Row[],
): { rows: (Row & { later: number })[]; count: number } {
  const count = rows.reduce((sum, { length }) => sum + length, 0);
  let before = 0;
  return { count, rows: rows.map((row) => ({ ...row, later: count - (before += row.length) })) };
}

/** Advances the cursors of logs by the given counts, in the given order. The rows stay locked until the commit. */
async function advanceCursors(
  em: EntityManager,
  counts: (readonly [log: LogId, count: number])[],
): Promise<void> {
  const onConflict = onConflictUpdate(em, ['user_id'], `last_seq = last_seq + ${excluded(em, 'last_seq')}`);
  await em.query(
    `INSERT INTO event_cursors (user_id, last_seq) VALUES ${tuples(counts, '?, ?')} ${onConflict}`,
    counts.flat(),
  );
}

/** Inserts the texts that are shared by enough of these events, and returns the rows of the events. */
async function shareTexts(
  em: EntityManager,
  events: readonly PendingEvents[],
  created_at: Date,
): Promise<NewRow[]> {
  const uses = new Map<string, number>();
  for (const { shared, length } of events) uses.set(shared, (uses.get(shared) ?? 0) + length);
  const texts = [...uses].flatMap(([payload, used]) => {
    const saving = (used / payload.split('\n').length - 1) * payload.length;
    return saving < MIN_SAVING ? [] : [{ payload, bytes: Buffer.byteLength(payload), created_at }];
  });
  const ids = new Map<string, number>();
  for (const chunk of chunksOf(texts)) {
    const generatedIds = await insertAllotted(em, EventPayloadEntity, chunk);
    for (const [index, { payload }] of chunk.entries()) ids.set(payload, generatedIds[index] as number);
  }
  return events.flatMap((event) => toRows(event, ids));
}

/**
 * Inserts rows under the numbers by which their log's cursor was advanced before. Returns when the last statement is
 * sent.
 */
async function insertEvents(em: EntityManager, rows: readonly EventRow[], createdAt: Date): Promise<void> {
  const timestamp = toSqlTimestamp(em, createdAt);
  const chunks = chunksOf(rows);
  for (const [index, chunk] of chunks.entries()) {
    const values = '?, (SELECT last_seq FROM event_cursors WHERE user_id = ?) - ?, ?, ?, ?, ?, ?, ?, ?';
    const insert = em.query(
      `INSERT INTO events (user_id, seq, run_length, type, payload_id, line, payload, number, created_at)
       VALUES ${tuples(chunk, values)}`,
      chunk.flatMap(({ log, later, length, type, payloadId, line, payload, number }) => [
        log,
        log,
        later,
        length,
        type,
        payloadId,
        line,
        payload,
        number,
        timestamp,
      ]),
    );
    // Long statements wait for each other, so that each has the whole time limit.
    if (index < chunks.length - 1) await insert;
    else pipeline(em, insert);
  }
}

/** Returns one row; for a run whose shared text is not stored, one row per event. */
function toRows(events: PendingEvents, ids: ReadonlyMap<string, number>): NewRow[] {
  const { log, type, shared, suffix, length, line, number } = events;
  const payloadId = ids.get(shared);
  if (payloadId !== undefined) return [{ log, type, length, line, number, payloadId, payload: suffix }];
  const single = { log, type, length: 1, line: 0, number: null, payloadId: null };
  return decodePayloads(events).map((payload) => ({ ...single, payload }));
}

/** Splits rows into chunks, one per INSERT. */
function chunksOf<Row extends { payload: string }>(rows: readonly Row[]): Row[][] {
  const chunks: Row[][] = [];
  let characters = 0;
  for (const row of rows) {
    const chunk = chunks.at(-1);
    characters += row.payload.length;
    const fits = chunk !== undefined && chunk.length < ROWS_PER_INSERT && characters <= CHARACTERS_PER_INSERT;
    if (fits) chunk.push(row);
    else {
      chunks.push([row]);
      characters = row.payload.length;
    }
  }
  return chunks;
}
