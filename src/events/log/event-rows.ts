import type { EntityManager } from 'typeorm';
import { toMoment, tuples } from '../../database/dialect';
import { insertRows } from '../../database/rows';
import { EventPayloadEntity } from '../entities/event-payload.entity';
import type { UnwrittenEvent } from './event';
import { SplitPayload } from './split-payload';

/* How events are stored: what several of a transaction share in one row, and of each what is its own. */

/** Sharing costs a row and a look-up; below so many characters that it saves, it is not worth it. */
const MIN_SAVING = 2_000;
/** What one statement inserts at most: rows, and characters, which must fit into a packet of the database (16 MB). */
const ROWS_AT_ONCE = 500;
const CHARACTERS_AT_ONCE = 1_000_000;

/** An event with its place: how many of the same log and transaction come after it. */
export type PlacedEvent = UnwrittenEvent & { later: number };

/** Beginnings of payloads that have a row of their own, with its id. */
export type SharedPayloads = ReadonlyMap<string, number>;

/** Writes once what enough of these events share. */
export async function insertShared(
  em: EntityManager,
  events: readonly UnwrittenEvent[],
  created_at: Date,
): Promise<SharedPayloads> {
  const uses = new Map<string, number>();
  for (const { payload } of events) {
    if (payload instanceof SplitPayload) uses.set(payload.shared, (uses.get(payload.shared) ?? 0) + 1);
  }
  const ids = new Map<string, number>();
  for (const [payload, count] of uses) {
    if ((count - 1) * payload.length < MIN_SAVING) continue;
    const bytes = Buffer.byteLength(payload);
    ids.set(payload, await insertRows(em, EventPayloadEntity, [{ payload, bytes, created_at }]));
  }
  return ids;
}

/** Inserts events under the numbers just allotted. */
export async function insertEvents(
  em: EntityManager,
  events: readonly PlacedEvent[],
  shared: SharedPayloads,
  createdAt: Date,
): Promise<void> {
  const moment = toMoment(em, createdAt);
  const rows = events.map((event) => toRow(event, shared));
  for (const part of inStatements(rows)) {
    const places = '?, (SELECT last_seq FROM event_cursors WHERE user_id = ?) - ?, ?, ?, ?, ?';
    await em.query(
      `INSERT INTO events (user_id, seq, type, payload_id, payload, created_at)
       VALUES ${tuples(part, places)}`,
      part.flatMap(({ log, later, type, payloadId, payload }) => [
        log,
        log,
        later,
        type,
        payloadId,
        payload,
        moment,
      ]),
    );
  }
}

interface Row extends Pick<PlacedEvent, 'log' | 'later' | 'type'> {
  payloadId: number | null;
  payload: string;
}

function toRow({ log, later, type, payload }: PlacedEvent, ids: SharedPayloads): Row {
  const { shared, own } = payload instanceof SplitPayload ? payload : whole(payload);
  const payloadId = ids.get(shared);
  return payloadId === undefined
    ? { log, later, type, payloadId: null, payload: shared + own }
    : { log, later, type, payloadId, payload: own };
}

const whole = (payload: object): SplitPayload<object> => new SplitPayload('', JSON.stringify(payload));

/** As many rows together as one statement takes. */
function inStatements(rows: readonly Row[]): Row[][] {
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
