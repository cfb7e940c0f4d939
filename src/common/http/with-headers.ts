/** Result of a handler with additional response headers. */
export class WithHeaders<T> {
  constructor(
    readonly data: T,
    readonly headers: Record<string, string | number>,
  ) {}
}
