/** Options of every request besides its path, query and body. */
export interface RequestOptions {
  /** Cancels the request. */
  signal?: AbortSignal;
  /** Idempotency key: repeating the call with the same key creates nothing twice. Default: a random key. */
  idempotencyKey?: string;
}

/** The parts of an operation that the caller provides. */
interface Parts {
  path?: unknown;
  query?: unknown;
  body?: unknown;
  headers?: unknown;
}

type PresentParts<Data extends Parts> = {
  [
    Part in keyof Data as Part extends keyof Parts
      ? [Exclude<Data[Part], undefined>] extends [never]
        ? never
        : Part
      : never
  ]: Data[Part];
};

/** Options of an operation's method: its path, query, body and headers, and `RequestOptions`. */
export type Options<Data extends Parts> = PresentParts<Data> & RequestOptions;
