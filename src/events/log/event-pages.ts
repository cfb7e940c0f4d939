import type { DataSource } from 'typeorm';
import { placeholders, type RawMoment, toDate } from '../../database/dialect';
import type { LoggedEvent } from './event';
import type { LogId } from './log-id';
import { joinPayload, linesOf } from './split-payload';

/** What one read brings at most, shared out among its readings, each of which gets one event in any case. */
const MAX_ROWS = 2_000;
const MAX_BYTES = 4 * 1024 * 1024;
/** More events than any run has. */
const LONGEST_RUN = 100;
/** A text of so many bytes comes with its row; a longer one only when it is known to fit. */
const SHORT = 2_000;

/** Which log is to be read, and from where. */
export interface Reading {
  log: LogId;
  after: number;
}

/** What a reading has brought. */
export interface Page {
  /** The next events, one number after the other; none when the next one is not there. */
  events: LoggedEvent[];
  /** Whether reading on may bring more at once. */
  hasMore: boolean;
}

/** The row of an event or a run, and how long its texts are, which are null where they are long. */
interface Row {
  /** The number of the log. */
  user_id: LogId;
  /** The number of the last event. */
  seq: number;
  run_length: number;
  type: string;
  created_at: RawMoment;
  payload_id: number | null;
  line: number;
  payload: string | null;
  number: number | null;
  bytes: number;
  shared: string | null;
  shared_bytes: number | null;
}

/**
 * The next events of several readings, at most `limit` for each, and of all together no more than 2,000 and 4 MiB, or
 * one event each. One query; where there are long texts a second one for what is shared, and for the others a third.
 */
export async function readPages(
  dataSource: DataSource,
  readings: readonly Reading[],
  limit: number,
): Promise<Page[]> {
  if (readings.length === 0) return [];
  const rowsEach = Math.min(limit, Math.max(1, Math.floor(MAX_ROWS / readings.length)));
  const bytesEach = Math.floor(MAX_BYTES / readings.length);
  const rows = await readRows(dataSource, readings, rowsEach);
  const byLog = Map.groupBy(rows, ({ user_id }) => user_id);
  const parts = readings.map(({ log, after }) => {
    const found = (byLog.get(log) ?? []).filter((row) => row.seq > after && firstOf(row) <= after + rowsEach);
    return { after, found, fitting: thatFit(found, after, bytesEach) };
  });
  const texts = await readLongTexts(
    dataSource,
    parts.flatMap(({ fitting }) => fitting),
  );
  return parts.map(({ after, found, fitting }) => {
    const all = withTexts(fitting, texts);
    const events = all.filter(({ seq }) => seq > after).slice(0, rowsEach);
    const isPart = (events.at(-1)?.seq ?? after) < (found.at(-1)?.seq ?? after);
    return { events, hasMore: events.length === rowsEach || isPart };
  });
}

/** The number of the first event of a row. */
const firstOf = ({ seq, run_length }: Pick<Row, 'seq' | 'run_length'>): number => seq - run_length + 1;

function readRows(dataSource: DataSource, readings: readonly Reading[], limit: number): Promise<Row[]> {
  // Numbers are dense, so a range of numbers is a limit; runs that begin beyond it are left out.
  const range = '(e.user_id = ? AND e.seq > ? AND e.seq <= ? AND e.seq - e.run_length < ?)';
  const ranges = readings.map(() => range).join(' OR ');
  return dataSource.query(
    `SELECT e.user_id, e.seq, e.run_length, e.type, e.created_at, e.payload_id, e.line, e.number,
       OCTET_LENGTH(e.payload) AS bytes,
       CASE WHEN OCTET_LENGTH(e.payload) <= ${SHORT} THEN e.payload END AS payload,
       p.bytes AS shared_bytes, CASE WHEN p.bytes <= ${SHORT} THEN p.payload END AS shared
     FROM events e LEFT JOIN event_payloads p ON p.id = e.payload_id
     WHERE ${ranges} ORDER BY e.user_id, e.seq`,
    readings.flatMap(({ log, after }) => [log, after, after + limit + LONGEST_RUN, after + limit]),
  );
}

/** The rows that follow a cursor without a gap, up to so many bytes; the first in any case. */
function thatFit(rows: Row[], after: number, bytes: number): Row[] {
  let size = 0;
  let reached = after;
  const end = rows.findIndex((row, index) => {
    // Numbers are dense: what is missing has been trimmed.
    if (firstOf(row) > reached + 1) return true;
    reached = row.seq;
    size += row.bytes * row.run_length + (row.shared_bytes ?? 0);
    return size > bytes && index > 0;
  });
  return end === -1 ? rows : rows.slice(0, end);
}

interface LongTexts {
  shared: Map<number, string>;
  own: Map<string, string>;
}

/** The texts that did not come with these rows, each of them once. */
async function readLongTexts(dataSource: DataSource, rows: Row[]): Promise<LongTexts> {
  const ids = new Set<number>();
  for (const { payload_id, shared } of rows) if (payload_id !== null && shared === null) ids.add(payload_id);
  const long = rows.filter(({ payload }) => payload === null);
  const shared: { id: number; payload: string }[] =
    ids.size === 0
      ? []
      : await dataSource.query(
          `SELECT id, payload FROM event_payloads WHERE id IN (${placeholders([...ids])})`,
          [...ids],
        );
  const own: { user_id: LogId; seq: number; payload: string }[] =
    long.length === 0
      ? []
      : await dataSource.query(
          `SELECT user_id, seq, payload FROM events
           WHERE ${long.map(() => '(user_id = ? AND seq = ?)').join(' OR ')}`,
          long.flatMap(({ user_id, seq }) => [user_id, seq]),
        );
  return {
    shared: new Map(shared.map(({ id, payload }) => [id, payload])),
    own: new Map(own.map((row) => [keyOf(row), row.payload])),
  };
}

const keyOf = ({ user_id, seq }: Pick<Row, 'user_id' | 'seq'>): string => `${user_id}:${seq}`;

/** The rows as events, up to the first whose texts have been trimmed meanwhile. */
function withTexts(rows: Row[], texts: LongTexts): LoggedEvent[] {
  const events: LoggedEvent[] = [];
  for (const row of rows) {
    const { type, payload_id, run_length: length, line, number } = row;
    const shared = payload_id === null ? '' : (row.shared ?? texts.shared.get(payload_id));
    const own = row.payload ?? texts.own.get(keyOf(row));
    if (shared === undefined || own === undefined) break;
    const lines = linesOf(shared);
    const created_at = toDate(row.created_at);
    for (let index = 0; index < length; index += 1) {
      const payload = joinPayload(lines, own, { length, line, number }, index);
      events.push({ seq: firstOf(row) + index, type, payload, created_at });
    }
  }
  return events;
}
