import type { EventOf } from './event';
import type { EventPayloads, EventType } from './event-types';

/** Events of one log that follow one another and are stored as one row. */
export interface Run {
  length: number;
  /** The line of the shared text with which the first of them begins; the next one begins with the next line. */
  line: number;
  /** What they count: the number at the end of the first one's payload, one more in each that follows; null: nothing. */
  number: number | null;
}

const ALONE: Run = { length: 1, line: 0, number: null };

/**
 * A payload as two texts: the beginning of its JSON, which other events of the transaction have too, and the rest; or
 * the payloads of a run, whose beginnings are lines of one text.
 */
export class SplitPayload<Payload extends object> {
  /** Whose texts they are; it exists for the compiler alone. */
  declare protected readonly payload: Payload;

  constructor(
    readonly shared: string,
    readonly own: string,
    readonly run: Run = ALONE,
  ) {}
}

/** The payload of a run's event `index`, put together again. */
export function joinPayload(
  lines: readonly string[],
  own: string,
  { line, number }: Run,
  index: number,
): string {
  return `${lines[line + index]}${own}${number === null ? '' : `${number + index}}`}`;
}

/** The lines of a shared text. JSON on one line holds no line breaks of its own. */
export const linesOf = (shared: string): string[] => shared.split('\n');

/**
 * Events of one type that tell many users nearly alike, so that what they have in common is stored once. Their payload
 * is `{...first, [name]: {...common, ...own}, ...last}`: `first` and `common` are everybody's, `own` and `last` are each
 * user's; `own` has at least one field. There may be several that follow one another, each with a `common` of its own.
 */
export class AlikeEvents<
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

  /** The event of one of the users; of several, the first. */
  to(
    userId: number,
    own: Omit<EventPayloads[K][Name], keyof Common>,
    last: Omit<EventPayloads[K], Name | keyof First>,
  ): EventOf<K> {
    return this.run(userId, { line: 0, length: 1 }, own, last);
  }

  /**
   * Events of one of the users, one after the other, as many as `length`, from the one numbered `line` on. All have the
   * same `own` and `last`, except what they `count`: that field is the last one, and one more in each that follows.
   */
  run(
    userId: number,
    { line, length }: Pick<Run, 'line' | 'length'>,
    own: Omit<EventPayloads[K][Name], keyof Common>,
    last: Omit<EventPayloads[K], Name | keyof First>,
    { counts = false }: { counts?: boolean } = {},
  ): EventOf<K> {
    const end = JSON.stringify(last).slice(1);
    const rest = `${JSON.stringify(own).slice(1)}${end === '}' ? end : `,${end}`}`;
    const { text, number } = counts && length > 1 ? beforeNumber(rest) : { text: rest, number: null };
    const payload = new SplitPayload<EventPayloads[K]>(this.#shared, text, { line, length, number });
    return { userId, type: this.type, payload };
  }
}

/** Events of one type that tell many users exactly the same: all of the payload is stored once. */
export function sameForAll<K extends EventType>(
  type: K,
  payload: EventPayloads[K],
): (userId: number) => EventOf<K> {
  const text = JSON.stringify(payload);
  const split = new SplitPayload<EventPayloads[K]>(text.slice(0, -1), text.slice(-1));
  return (userId) => ({ userId, type, payload: split });
}

/** A text of JSON that ends in a number and a brace, and that number. */
function beforeNumber(json: string): { text: string; number: number } {
  const [digits = ''] = /\d+(?=\}$)/.exec(json) ?? [];
  return { text: json.slice(0, -digits.length - 1), number: Number(digits) };
}
