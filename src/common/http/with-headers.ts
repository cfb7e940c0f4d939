/** What a handler returns when its answer carries headers of its own. */
export class WithHeaders<T> {
  constructor(
    readonly data: T,
    readonly headers: Record<string, string | number>,
  ) {}
}
