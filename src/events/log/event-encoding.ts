import { isDeepStrictEqual } from 'node:util';
import type { NewEvent, NewTopicEvent } from './event';
import { type LogId, type TopicLog, userLog } from './log-id';

/*
 * How events are stored (docs/adr/0019). The JSON of an event's `shared` part is a prefix that is stored once for
 * several events. Consecutive events of a log that differ only in that prefix, and in a count, are stored as a run.
 */

/** The payloads of an event, or of the consecutive events of a run, which are stored as one row. */
export interface EncodedPayloads {
  length: number;
  /** The prefixes of all events that share this text, one per line; empty if the event shares nothing. */
  shared: string;
  /** Line of the prefix of the first event; each following event has the next line. */
  line: number;
  suffix: string;
  /**
   * Number at the end of the first event's payload; each following event has one more. Null: the events have no count.
   */
  number: number | null;
}

/** An event or a run that is not written yet. */
export interface PendingEvents extends EncodedPayloads {
  log: LogId;
  type: string;
}

/** The stored form of a `shared` object. */
interface Prefix extends Pick<EncodedPayloads, 'shared' | 'line'> {
  /** Name of the last field of `shared` if its object continues in `own`. */
  openField: string | undefined;
}

type Fields = Record<string, unknown>;

/** The last row of a user so far. */
interface LastRow {
  row: PendingEvents;
  /** The `own` object of the row's first event. */
  own: object | undefined;
}

const SINGLE_EVENT = { length: 1, shared: '', line: 0, number: null };

/**
 * Encodes events that are appended together. If a user receives several that have a `shared` object, the prefixes of
 * all events become the lines of one text, so that the events of each user may be runs.
 * @throws {Error} if `shared` and `own` have a field in common that is not the last of `shared` and the first of `own`
 */
export function encodeEvents(events: readonly NewEvent[]): PendingEvents[] {
  const prefixes = toPrefixes(events);
  const rows: PendingEvents[] = [];
  const lastRows = new Map<number, LastRow>();
  for (const event of events) {
    const { userId, type, payload, shared, own } = event;
    const last = lastRows.get(userId);
    const prefix = shared && prefixes.get(shared);
    if (prefix && last?.row.type === type && extendRun(last, own, prefix)) continue;
    const encoded = prefix ? encodePart(own, prefix) : { suffix: JSON.stringify(payload) };
    const row = { ...SINGLE_EVENT, log: userLog(userId), type, ...encoded };
    rows.push(row);
    lastRows.set(userId, { row, own });
  }
  return rows;
}

/** Encodes an event of a topic. */
export const encodeTopicEvent = (log: TopicLog, { type, payload }: NewTopicEvent): PendingEvents => ({
  ...SINGLE_EVENT,
  log,
  type,
  suffix: JSON.stringify(payload),
});

/** Returns the payloads of a row in order, as JSON objects. */
export function decodePayloads({ length, shared, line, suffix, number }: EncodedPayloads): string[] {
  // The JSON in a line contains no line breaks.
  const lines = shared.split('\n');
  return Array.from(
    { length },
    (_, index) => `${lines[line + index]}${suffix}${number === null ? '' : `${number + index}}`}`,
  );
}

/** Returns the prefix of each `shared` object. */
function toPrefixes(events: readonly NewEvent[]): Map<object, Prefix> {
  const prefixes = new Map<object, Prefix>();
  const userIds = new Set<number>();
  let count = 0;
  for (const { userId, shared, own } of events) {
    if (shared === undefined) continue;
    if (!prefixes.has(shared)) prefixes.set(shared, toPrefix(shared, own));
    userIds.add(userId);
    count += 1;
  }
  if (userIds.size === count) return prefixes;
  const text = Array.from(prefixes.values(), ({ shared }) => shared).join('\n');
  return new Map(
    Array.from(prefixes, ([object, { openField }], line) => [object, { shared: text, line, openField }]),
  );
}

function toPrefix(shared: object, own: object): Prefix {
  const json = JSON.stringify(shared);
  const ownFields = Object.keys(own);
  const openField = ownFields.findLast((field) => field in shared);
  if (openField === undefined) return { shared: json.slice(0, -1), line: 0, openField };
  if (openField !== ownFields[0] || openField !== Object.keys(shared).at(-1))
    throw new Error(
      `"${openField}" must be the last field of the shared part, and the first of the own part`,
    );
  return { shared: `${json.slice(0, -2)},`, line: 0, openField };
}

function encodePart(
  own: object,
  { shared, line, openField }: Prefix,
): Omit<EncodedPayloads, 'length' | 'number'> {
  const json = JSON.stringify(own);
  if (openField !== undefined) return { shared, line, suffix: json.slice(`{"${openField}":{`.length) };
  return { shared, line, suffix: json === '{}' ? '}' : `,${json.slice(1)}` };
}

/** Adds the next event of a log to the row before it. Returns false if the two cannot be a run. */
function extendRun({ row, own: first }: LastRow, own: object, prefix: Prefix): boolean {
  if (first === undefined || prefix.line !== row.line + row.length || prefix.shared !== row.shared)
    return false;
  const increase = increaseOf(first as Fields, own as Fields);
  const isCounting = row.length === 1 ? increase === 1 : row.number !== null;
  if (increase !== (isCounting ? row.length : 0)) return false;
  if (isCounting && row.number === null) {
    row.number = Object.values(first).at(-1) as number;
    row.suffix = row.suffix.slice(0, -`${row.number}}`.length);
  }
  row.length += 1;
  return true;
}

/** Returns the increase of the last field, an integer; 0 if all fields are equal, undefined if other fields differ. */
function increaseOf(from: Fields, to: Fields): number | undefined {
  const names = Object.keys(to);
  const namesBefore = Object.keys(from);
  if (names.length !== namesBefore.length) return undefined;
  for (const [index, name] of names.entries()) {
    if (name !== namesBefore[index]) return undefined;
    const [before, after] = [from[name], to[name]];
    if (before === after || isDeepStrictEqual(before, after)) continue;
    const isCount = index === names.length - 1 && Number.isSafeInteger(before) && Number.isSafeInteger(after);
    return isCount ? (after as number) - (before as number) : undefined;
  }
  return 0;
}
