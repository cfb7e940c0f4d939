import type { EventOf } from './event';
import type { EventPayloads, EventType } from './event-types';

/** Consecutive events of one log that are stored as one row. */
export interface Run {
  length: number;
  /** Line of the shared text that is the prefix of the first event; each following event has the next line. */
  line: number;
  /**
   * Number at the end of the first event's payload; each following event has one more. Null: the events have no count.
   */
  number: number | null;
}

const SINGLE_EVENT: Run = { length: 1, line: 0, number: null };

/**
 * A payload split into two texts: the prefix of its JSON, which other events of the transaction share, and the suffix.
 * For a run: the prefixes are the lines of the shared text.
 */
export class SplitPayload<Payload extends object> {
  /** Type of the payload. Exists only at compile time. */
  declare protected readonly payload: Payload;

  constructor(
    readonly shared: string,
    readonly own: string,
    readonly run: Run = SINGLE_EVENT,
  ) {}
}

/** Joins the payload of event `index` of a run. */
export function joinPayload(
  lines: readonly string[],
  suffix: string,
  { line, number }: Run,
  index: number,
): string {
  return `${lines[line + index]}${suffix}${number === null ? '' : `${number + index}}`}`;
}

/** Splits a shared text into its lines. The JSON in a line contains no line breaks. */
export const payloadLines = (shared: string): string[] => shared.split('\n');

/**
 * Events of one type for many users with nearly equal payloads, so that their common part is stored once. A payload is
 * `{...first, [name]: {...common, ...perUser}, ...last}`: `first` and `common` are the same for all users, `perUser`
 * and `last` are specific to one user; `perUser` has at least one field. May contain several consecutive events, each
 * with its own `common`.
 */
export class SharedPayloadEvents<
  K extends EventType,
  Name extends keyof EventPayloads[K],
  First extends Partial<EventPayloads[K]>,
  Common extends Partial<EventPayloads[K][Name]>,
> {
  readonly #shared: string;

  constructor(
    private readonly type: K,
    first: First,
    name: Name,
    ...commons: Common[]
  ) {
    const lines = commons.map((common) => `${JSON.stringify({ ...first, [name]: common }).slice(0, -2)},`);
    this.#shared = lines.join('\n');
  }

  /** Returns the event for a user; if there are several, the first one. */
  to(
    userId: number,
    perUser: Omit<EventPayloads[K][Name], keyof Common>,
    last: Omit<EventPayloads[K], Name | keyof First>,
  ): EventOf<K> {
    return this.run(userId, { line: 0, length: 1 }, perUser, last);
  }

  /**
   * Returns `length` consecutive events for a user, starting with the event at index `line`. All have the same
   * `perUser` and `last`. With `counts`, the last field of the payload is a number, and one more in each event.
   */
  run(
    userId: number,
    { line, length }: Pick<Run, 'line' | 'length'>,
    perUser: Omit<EventPayloads[K][Name], keyof Common>,
    last: Omit<EventPayloads[K], Name | keyof First>,
    { counts = false }: { counts?: boolean } = {},
  ): EventOf<K> {
    const end = JSON.stringify(last).slice(1);
    const suffix = `${JSON.stringify(perUser).slice(1)}${end === '}' ? end : `,${end}`}`;
    const { text, number } = counts && length > 1 ? splitNumber(suffix) : { text: suffix, number: null };
    const payload = new SplitPayload<EventPayloads[K]>(this.#shared, text, { line, length, number });
    return { userId, type: this.type, payload };
  }
}

/** Returns events of one type for many users with equal payloads: the whole payload is stored once. */
export function withSharedPayload<K extends EventType>(
  type: K,
  payload: EventPayloads[K],
): (userId: number) => EventOf<K> {
  const text = JSON.stringify(payload);
  const split = new SplitPayload<EventPayloads[K]>(text.slice(0, -1), text.slice(-1));
  return (userId) => ({ userId, type, payload: split });
}

/** Splits JSON that ends with a number and a brace into the text before the number, and the number. */
function splitNumber(json: string): { text: string; number: number } {
  const [digits = ''] = /\d+(?=\}$)/.exec(json) ?? [];
  return { text: json.slice(0, -digits.length - 1), number: Number(digits) };
}
