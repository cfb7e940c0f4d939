import type { EntityManager } from 'typeorm';
import { toMoment, tuples } from '../../database/dialect';
import { insertAllotted } from '../../database/rows';
import { EventPayloadEntity } from '../entities/event-payload.entity';
import type { UnwrittenEvent } from './event';
import { joinPayload, linesOf, type Run, SplitPayload } from './split-payload';

/* How events are stored: what several of a transaction share in one row, and of each, or each run, what is its own. */

/** Sharing costs a row and a look-up; below so many characters that it saves, it is not worth it. */
const MIN_SAVING = 2_000;
/** What one statement inserts at most: rows, and characters, which must fit into a packet of the database (16 MB). */
const ROWS_AT_ONCE = 500;
const CHARACTERS_AT_ONCE = 1_000_000;

/** An event or a run as a row of its log, but for its number. */
interface UnplacedRow extends Pick<UnwrittenEvent, 'log' | 'type'>, Run {
  payloadId: number | null;
  payload: string;
}

/** A row with its place: how many events of the same log and transaction come after it. */
export type EventRow = UnplacedRow & { later: number };

/** Writes once what enough of these events share; answers the rows that are left to write. */
export async function shareTexts(
  em: EntityManager,
  events: readonly UnwrittenEvent[],
  created_at: Date,
): Promise<UnplacedRow[]> {
  const uses = new Map<string, number>();
  for (const { payload } of events) {
    if (payload instanceof SplitPayload)
      uses.set(payload.shared, (uses.get(payload.shared) ?? 0) + payload.run.length);
  }
  const worthIt = [...uses].flatMap(([payload, used]) => {
    const saving = (used / linesOf(payload).length - 1) * payload.length;
    return saving < MIN_SAVING ? [] : [{ payload, bytes: Buffer.byteLength(payload), created_at }];
  });
  const ids = new Map<string, number>();
  for (const part of inStatements(worthIt)) {
    const allotted = await insertAllotted(em, EventPayloadEntity, part);
    for (const [index, { payload }] of part.entries()) ids.set(payload, allotted[index] as number);
  }
  return events.flatMap((event) => toRows(event, ids));
}

/** Inserts rows under the numbers just allotted. */
export async function insertEvents(
  em: EntityManager,
  rows: readonly EventRow[],
  createdAt: Date,
): Promise<void> {
  const moment = toMoment(em, createdAt);
  for (const part of inStatements(rows)) {
    const places = '?, (SELECT last_seq FROM event_cursors WHERE user_id = ?) - ?, ?, ?, ?, ?, ?, ?, ?';
    await em.query(
      `INSERT INTO events (user_id, seq, run_length, type, payload_id, line, payload, number, created_at)
       VALUES ${tuples(part, places)}`,
      part.flatMap(({ log, later, length, type, payloadId, line, payload, number }) => [
        log,
        log,
        later,
        length,
        type,
        payloadId,
        line,
        payload,
        number,
        moment,
      ]),
    );
  }
}

/** One row, or, where the beginnings of a run are not stored, one for each of its events. */
function toRows({ log, type, payload }: UnwrittenEvent, ids: ReadonlyMap<string, number>): UnplacedRow[] {
  const alone = { log, type, payloadId: null, length: 1, line: 0, number: null };
  if (!(payload instanceof SplitPayload)) return [{ ...alone, payload: JSON.stringify(payload) }];
  const { shared, own, run } = payload;
  const payloadId = ids.get(shared);
  if (payloadId !== undefined) return [{ log, type, payloadId, payload: own, ...run }];
  const lines = linesOf(shared);
  return Array.from({ length: run.length }, (_, index) => {
    return { ...alone, payload: joinPayload(lines, own, run, index) };
  });
}

/** As many rows together as one statement takes. */
function inStatements<Row extends { payload: string }>(rows: readonly Row[]): Row[][] {
  const parts: Row[][] = [];
  let characters = 0;
  for (const row of rows) {
    const part = parts.at(-1);
    characters += row.payload.length;
    if (part !== undefined && part.length < ROWS_AT_ONCE && characters <= CHARACTERS_AT_ONCE) part.push(row);
    else {
      parts.push([row]);
      characters = row.payload.length;
    }
  }
  return parts;
}
