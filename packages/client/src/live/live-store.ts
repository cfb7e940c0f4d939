import { pause } from '../environment.js';
import { CallboardError } from '../errors.js';
import type { Events } from '../events/events.js';
import { safely } from '../events/listener.js';
import type { UserEvent } from '../generated/types.gen.js';
import { Backoff } from '../events/backoff.js';

/** Something as it was at `cursor`. */
export interface Snapshot<T> {
  data: T;
  cursor: number;
}

/** How long to wait for the stream before the first snapshot is taken without it. */
const PATIENCE_MS = 2_000;

/**
 * Something that is kept up to date: a snapshot, and the events after it. Made to be used as it is by React's
 * `useSyncExternalStore(store.subscribe, store.getSnapshot)`: the value is replaced, never changed.
 */
export abstract class LiveStore<T> {
  readonly #listeners = new Set<() => void>();
  readonly #closing = new AbortController();
  readonly #unsubscribe: () => void;
  #value: T | undefined;
  #isLoaded = false;
  #error: CallboardError | undefined;
  #cursor = 0;
  /** What is heard while a snapshot is taken. */
  #heard: { event: UserEvent; id: number | undefined }[] | undefined;
  /** Another snapshot is wanted as soon as the present one is there. */
  #again = false;
  #loading: Promise<void> | undefined;
  /** Ends the wait before the next attempt. */
  #waiting: AbortController | undefined;

  protected constructor(events: Events) {
    this.#unsubscribe = events.subscribe({
      onEvent: (event, id) => this.#hear(event, id),
      onState: (state) => void (state === 'live' && this.reload()),
      onResync: () => void this.reload(),
    });
    if (events.state !== 'live') void pause(PATIENCE_MS, this.#closing.signal).then(() => this.#firstLoad());
  }

  /** Calls `listener` after each change; answers what ends that. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The present value; undefined until the first snapshot is there. */
  readonly getSnapshot = (): T | undefined => this.#value;

  /** Whether the first snapshot is there: what its owner has made of the value may come before. */
  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  /** Why there is nothing new; undefined while all is well. */
  get error(): CallboardError | undefined {
    return this.#error;
  }

  /** Ends it; whoever opens a store closes it. */
  close(): void {
    this.#closing.abort();
    this.#waiting?.abort();
    this.#unsubscribe();
    this.#listeners.clear();
  }

  /** Ends what is under way, when it is closed. */
  protected get signal(): AbortSignal {
    return this.#closing.signal;
  }

  /**
   * Takes a fresh snapshot. Resolves when it is there, or the service refuses it. `isUrgent`: does not wait for the next attempt
   * after a failed one, and forgets its error: for a button that tries again.
   */
  reload({ isUrgent = false } = {}): Promise<void> {
    if (this.signal.aborted) return Promise.resolve();
    this.#again = true;
    if (isUrgent && this.#error !== undefined) {
      this.#fail(undefined);
      this.#waiting?.abort();
    }
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  /** Fetches all of it anew. */
  protected abstract fetch(signal: AbortSignal): Promise<Snapshot<T>>;

  /** The value after an event; the same one when nothing changes. */
  protected abstract apply(value: T, event: UserEvent): T;

  /** Replaces the value by what its owner made of it. */
  protected set(value: T): void {
    if (value === this.#value) return;
    this.#value = value;
    for (const listener of this.#listeners) safely(listener);
  }

  #firstLoad(): void {
    if (!this.#isLoaded && this.#loading === undefined) void this.reload();
  }

  async #load(): Promise<void> {
    const backoff = new Backoff();
    // Who subscribes in its constructor has not finished that yet.
    await Promise.resolve();
    while (this.#again && !this.signal.aborted) {
      this.#again = false;
      this.#heard ??= [];
      try {
        this.#take(await this.fetch(this.signal));
      } catch (error) {
        if (this.signal.aborted) return;
        const failure =
          error instanceof CallboardError
            ? error
            : new CallboardError('network', undefined, { cause: error });
        this.#waiting = new AbortController();
        this.#fail(failure);
        if (!failure.isTransient) {
          this.#heard = undefined;
          return;
        }
        this.#again = true;
        await pause(backoff.next(failure.retryAfter), this.#waiting.signal, { wakeable: true });
      }
    }
  }

  /**
   * A snapshot holds the events up to its cursor, and those without a cursor that came before them; the rest is applied to
   * it, in order.
   */
  #take({ data, cursor }: Snapshot<T>): void {
    const heard = this.#heard ?? [];
    this.#heard = undefined;
    this.#isLoaded = true;
    this.#error = undefined;
    this.#cursor = cursor;
    let held = heard.length;
    while (held > 0 && (heard[held - 1]?.id ?? Infinity) > cursor) held -= 1;
    let value = data;
    for (const { event } of heard.slice(held)) value = this.apply(value, event);
    this.set(value);
  }

  #hear(event: UserEvent, id: number | undefined): void {
    // What is shown already goes on meanwhile.
    this.#heard?.push({ event, id });
    if (this.#value === undefined || (id !== undefined && id <= this.#cursor)) return;
    this.set(this.apply(this.#value, event));
  }

  #fail(error: CallboardError | undefined): void {
    this.#error = error;
    for (const listener of this.#listeners) safely(listener);
  }
}
