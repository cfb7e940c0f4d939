/** What every request may be given besides its path, query and body. */
export interface RequestOptions {
  /** Gives the request up. */
  signal?: AbortSignal;
  /** Names what shall be made, so that the same call made again makes nothing twice; chosen by the client when left out. */
  idempotencyKey?: string;
}

/** The parts of an operation that its caller fills in. */
interface Parts {
  path?: unknown;
  query?: unknown;
  body?: unknown;
  headers?: unknown;
}

type Given<Data extends Parts> = {
  [
    Part in keyof Data as Part extends keyof Parts
      ? [Exclude<Data[Part], undefined>] extends [never]
        ? never
        : Part
      : never
  ]: Data[Part];
};

/** What the method of an operation takes. */
export type Options<Data extends Parts> = Given<Data> & RequestOptions;
