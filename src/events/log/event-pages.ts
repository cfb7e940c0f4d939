import type { DataSource } from 'typeorm';
import { inChunks } from '../../common/concurrency/chunks';
import { placeholders, type RawTimestamp, toDate } from '../../database/sql/dialect';
import type { LoggedEvent } from './event';
import { decodePayloads } from './event-encoding';
import type { LogId } from './log-id';

/** Maximum number of events of one call, divided among its readings; each reading gets at least one event. */
const MAX_ROWS = 2_000;
/** Maximum number of bytes of one call, divided among its readings; each reading gets at least one event. */
const MAX_BYTES = 4 * 1024 * 1024;
/** Greater than the number of events of any run. */
const MAX_RUN_LENGTH = 100;
/** Texts up to this number of bytes are read with their row. Longer ones are read only if they fit. */
const SHORT_TEXT_BYTES = 2_000;

/** A log to read, and the number of the event after which to read. */
export interface LogReading {
  log: LogId;
  after: number;
}

/** Result of a reading. */
export interface EventPage {
  /** The next events, without a gap in their numbers; empty if the next one does not exist. */
  events: LoggedEvent[];
  /** Whether reading again immediately may return more events. */
  hasMore: boolean;
}

/** The row of an event or a run, with the lengths of its texts. Texts longer than `SHORT_TEXT_BYTES` are null. */
interface Row {
  /** Id of the log. */
  user_id: LogId;
  /** Number of the last event. */
  seq: number;
  run_length: number;
  type: string;
  created_at: RawTimestamp;
  payload_id: number | null;
  line: number;
  payload: string | null;
  number: number | null;
  bytes: number;
  shared: string | null;
  shared_bytes: number | null;
}

/**
 * Returns the next events of several readings: at most `limit` for each, and 2,000 events and 4 MiB for all together,
 * but at least one event each. Uses one query; one more for long shared texts, and one more for each 500 other long texts.
 */
export async function readPages(
  dataSource: DataSource,
  readings: readonly LogReading[],
  limit: number,
): Promise<EventPage[]> {
  if (readings.length === 0) return [];
  const rowsEach = Math.min(limit, Math.max(1, Math.floor(MAX_ROWS / readings.length)));
  const bytesEach = Math.floor(MAX_BYTES / readings.length);
  const rows = await readRows(dataSource, readings, rowsEach);
  const byLog = Map.groupBy(rows, ({ user_id }) => user_id);
  const parts = readings.map(({ log, after }) => {
    const found = (byLog.get(log) ?? []).filter((row) => row.seq > after && firstOf(row) <= after + rowsEach);
    return { after, found, fitting: takeFitting(found, after, bytesEach) };
  });
  const texts = await readLongTexts(
    dataSource,
    parts.flatMap(({ fitting }) => fitting),
  );
  return parts.map(({ after, found, fitting }) => {
    const all = toEvents(fitting, texts);
    const events = all.filter(({ seq }) => seq > after).slice(0, rowsEach);
    const isPartial = (events.at(-1)?.seq ?? after) < (found.at(-1)?.seq ?? after);
    return { events, hasMore: events.length === rowsEach || isPartial };
  });
}

/** Returns the number of the first event of a row. */
const firstOf = ({ seq, run_length }: Pick<Row, 'seq' | 'run_length'>): number => seq - run_length + 1;

function readRows(dataSource: DataSource, readings: readonly LogReading[], limit: number): Promise<Row[]> {
  // Numbers are dense, so a range of numbers acts as a limit. Runs that begin after it are excluded.
  const range = '(e.user_id = ? AND e.seq > ? AND e.seq <= ? AND e.seq - e.run_length < ?)';
  const ranges = readings.map(() => range).join(' OR ');
  return dataSource.query(
    `SELECT e.user_id, e.seq, e.run_length, e.type, e.created_at, e.payload_id, e.line, e.number,
       OCTET_LENGTH(e.payload) AS bytes,
       CASE WHEN OCTET_LENGTH(e.payload) <= ${SHORT_TEXT_BYTES} THEN e.payload END AS payload,
       p.bytes AS shared_bytes, CASE WHEN p.bytes <= ${SHORT_TEXT_BYTES} THEN p.payload END AS shared
     FROM events e LEFT JOIN event_payloads p ON p.id = e.payload_id
     WHERE ${ranges} ORDER BY e.user_id, e.seq`,
    readings.flatMap(({ log, after }) => [log, after, after + limit + MAX_RUN_LENGTH, after + limit]),
  );
}

/** Returns the rows that follow a cursor without a gap, up to a number of bytes, but at least the first one. */
function takeFitting(rows: Row[], after: number, bytes: number): Row[] {
  let size = 0;
  let reached = after;
  const end = rows.findIndex((row, index) => {
    // Numbers are dense, so the retention has deleted missing ones.
    if (firstOf(row) > reached + 1) return true;
    reached = row.seq;
    size += row.bytes * row.run_length + (row.shared_bytes ?? 0);
    return size > bytes && index > 0;
  });
  return end === -1 ? rows : rows.slice(0, end);
}

interface LongTexts {
  /** Shared prefixes by `payload_id`. */
  shared: Map<number, string>;
  /** Payloads of rows, or their suffixes, by `keyOf`. */
  payloads: Map<string, string>;
}

/** Reads the long texts of rows, each once. */
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
  const payloads: { user_id: LogId; seq: number; payload: string }[] = [];
  // In chunks, because SQLite allows a thousand terms in an expression.
  for (const chunk of inChunks(long)) {
    const isOneOf = chunk.map(() => '(user_id = ? AND seq = ?)').join(' OR ');
    payloads.push(
      ...(await dataSource.query<typeof payloads>(
        `SELECT user_id, seq, payload FROM events WHERE ${isOneOf}`,
        chunk.flatMap(({ user_id, seq }) => [user_id, seq]),
      )),
    );
  }
  return {
    shared: new Map(shared.map(({ id, payload }) => [id, payload])),
    payloads: new Map(payloads.map((row) => [keyOf(row), row.payload])),
  };
}

const keyOf = ({ user_id, seq }: Pick<Row, 'user_id' | 'seq'>): string => `${user_id}:${seq}`;

/** Converts rows to events, up to the first row whose texts the retention has deleted meanwhile. */
function toEvents(rows: Row[], texts: LongTexts): LoggedEvent[] {
  const events: LoggedEvent[] = [];
  for (const row of rows) {
    const { type, payload_id, run_length: length, line, number } = row;
    const shared = payload_id === null ? '' : (row.shared ?? texts.shared.get(payload_id));
    const suffix = row.payload ?? texts.payloads.get(keyOf(row));
    if (shared === undefined || suffix === undefined) break;
    const created_at = toDate(row.created_at);
    const payloads = decodePayloads({ shared, suffix, length, line, number });
    for (const [index, payload] of payloads.entries())
      events.push({ seq: firstOf(row) + index, type, payload, created_at });
  }
  return events;
}
