import { times, type Transaction } from './database';

/** An event, or a run of events, for the log of a user (a topic has a negative number). */
export interface NewEvent {
  log: number;
  type: string;
  payload: string;
  /** Text that other events of the transaction share, and the line of it that precedes `payload`. */
  shared?: { text: string; line: number };
  /** Number of events in the run. Default: 1. */
  length?: number;
  /** Number at the end of the run's first event, which rises by one with each event; null: none. */
  number?: number | null;
}

/** Minimum number of characters saved by a shared text, as in the service. */
const MIN_SAVING = 2_000;

/**
 * Sends the statements that append events: shared texts, the cursors in ascending order, and the rows. None of them
 * needs the response to another one, because the rows refer to the generated ids and to the cursors in SQL.
 */
export function append(tx: Transaction, events: NewEvent[], now: Date): void {
  const texts = sharedTexts(events);
  if (texts.length > 0)
    void tx.change(
      `INSERT INTO event_payloads (payload, bytes, created_at) VALUES ${times(texts.length, '(?, ?, ?)')}`,
      texts.flatMap((text) => [text, Buffer.byteLength(text), now]),
    );
  const rows = events.flatMap((event) => (texts.includes(event.shared?.text ?? '') ? [event] : apart(event)));
  const counts = new Map<number, number>();
  for (const { log, length = 1 } of rows) counts.set(log, (counts.get(log) ?? 0) + length);
  const cursors = [...counts].toSorted(([a], [b]) => a - b);
  void tx.change(
    `INSERT INTO event_cursors (user_id, last_seq) VALUES ${times(cursors.length, '(?, ?)')}
     ON DUPLICATE KEY UPDATE last_seq = last_seq + VALUES(last_seq)`,
    cursors.flat(),
  );
  const before = new Map<number, number>();
  const values = rows.flatMap(({ log, type, payload, shared, length = 1, number = null }) => {
    const upTo = (before.get(log) ?? 0) + length;
    before.set(log, upTo);
    const index = shared === undefined ? -1 : texts.indexOf(shared.text);
    const later = (counts.get(log) ?? 0) - upTo;
    return [log, log, later, length, type, index, index, shared?.line ?? 0, payload, number, now];
  });
  void tx.change(
    `INSERT INTO events (user_id, seq, run_length, type, payload_id, line, payload, number, created_at)
     VALUES ${times(
       rows.length,
       `(?, (SELECT last_seq FROM event_cursors WHERE user_id = ?) - ?, ?, ?,
         IF(? < 0, NULL, LAST_INSERT_ID() + ?), ?, ?, ?, ?)`,
     )}`,
    values,
  );
}

/** Returns the texts that are worth a row of their own. */
function sharedTexts(events: NewEvent[]): string[] {
  const uses = new Map<string, number>();
  for (const { shared, length = 1 } of events)
    if (shared !== undefined) uses.set(shared.text, (uses.get(shared.text) ?? 0) + length);
  return [...uses].flatMap(([text, used]) =>
    (used / text.split('\n').length - 1) * text.length < MIN_SAVING ? [] : [text],
  );
}

/** Returns one event with its whole payload for each event of a run. */
function apart({ log, type, payload, shared, length = 1, number = null }: NewEvent): NewEvent[] {
  if (shared === undefined) return [{ log, type, payload }];
  const lines = shared.text.split('\n');
  return Array.from({ length }, (_, index) => {
    const end = number === null ? '' : `${number + index}}`;
    return { log, type, payload: `${lines[shared.line + index]}${payload}${end}` };
  });
}
