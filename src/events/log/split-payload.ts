import type { EventOf } from './event';
import type { EventPayloads, EventType } from './event-types';

/** A payload as two texts: the beginning of its JSON, which other events of the transaction have too, and the rest. */
export class SplitPayload<Payload extends object> {
  /** Whose texts they are; it exists for the compiler alone. */
  declare protected readonly payload: Payload;

  constructor(
    readonly shared: string,
    readonly own: string,
  ) {}
}

/**
 * Events of one type that tell many users nearly alike, so that what they have in common is stored once. Their payload
 * is `{...first, [name]: {...common, ...own}, ...last}`: `first` and `common` are everybody's, `own` and `last` are each
 * user's; `own` has at least one field.
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
    common: Common,
  ) {
    this.#shared = `${JSON.stringify({ ...first, [name]: common }).slice(0, -2)},`;
  }

  /** The event of one of the users. */
  to(
    userId: number,
    own: Omit<EventPayloads[K][Name], keyof Common>,
    last: Omit<EventPayloads[K], Name | keyof First>,
  ): EventOf<K> {
    const end = JSON.stringify(last).slice(1);
    const rest = `${JSON.stringify(own).slice(1)}${end === '}' ? end : `,${end}`}`;
    return { userId, type: this.type, payload: new SplitPayload(this.#shared, rest) };
  }
}
