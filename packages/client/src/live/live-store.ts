import { pause } from '../environment.js';
import { CallboardError } from '../errors.js';
import type { Events } from '../events/events.js';
import { safely } from '../events/listener.js';
import type { UserEvent } from '../generated/types.gen.js';
import { Backoff } from '../events/backoff.js';

/** Data with the event cursor at which it is valid. */
export interface Snapshot<T> {
  data: T;
  cursor: number;
}

/** Maximum wait for the stream before the first snapshot is fetched without it. */
const MAX_STREAM_WAIT_MS = 2_000;

/**
 * A value that is kept up to date: a snapshot, and the events after it. The value is replaced, never mutated, so that React's
 * `useSyncExternalStore(store.subscribe, store.getSnapshot)` can use the store directly.
 */
export abstract class LiveStore<T> {
  readonly #listeners = new Set<() => void>();
  readonly #closing = new AbortController();
  readonly #unsubscribe: () => void;
  #value: T | undefined;
  #isLoaded = false;
  #error: CallboardError | undefined;
  #cursor = 0;
  /** Events that arrive while a snapshot is fetched. */
  #buffered: { event: UserEvent; id: number | undefined }[] | undefined;
  /** Whether to fetch another snapshot after the current one. */
  #isReloadRequested = false;
  #loading: Promise<void> | undefined;
  /** Aborts the wait before the next attempt. */
  #waiting: AbortController | undefined;

  protected constructor(events: Events) {
    this.#unsubscribe = events.subscribe({
      onEvent: (event, id) => this.#receive(event, id),
      onState: (state) => void (state === 'live' && this.reload()),
      onResync: () => void this.reload(),
    });
    if (events.state !== 'live')
      void pause(MAX_STREAM_WAIT_MS, this.#closing.signal).then(() => this.#firstLoad());
  }

  /** Calls `listener` after each change. Returns a function that removes the listener. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Returns the current value; undefined before the first snapshot, unless a subclass has set a value. */
  readonly getSnapshot = (): T | undefined => this.#value;

  /** Whether the first snapshot was fetched. A subclass may set a value before that. */
  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  /** The error of the last attempt to fetch a snapshot; undefined after a success. */
  get error(): CallboardError | undefined {
    return this.#error;
  }

  /** Closes the store. The code that opens a store must close it. */
  close(): void {
    this.#closing.abort();
    this.#waiting?.abort();
    this.#unsubscribe();
    this.#listeners.clear();
  }

  /** Aborts running requests when the store is closed. */
  protected get signal(): AbortSignal {
    return this.#closing.signal;
  }

  /**
   * Fetches a new snapshot. Resolves after it was fetched, or failed permanently.
   * @param options `isUrgent`: clears the error of a failed attempt and retries immediately, for a retry button
   */
  reload({ isUrgent = false } = {}): Promise<void> {
    if (this.signal.aborted) return Promise.resolve();
    this.#isReloadRequested = true;
    if (isUrgent && this.#error !== undefined) {
      this.#fail(undefined);
      this.#waiting?.abort();
    }
    this.#loading ??= this.#load();
    return this.#loading;
  }

  /** Fetches a complete snapshot. */
  protected abstract fetch(signal: AbortSignal): Promise<Snapshot<T>>;

  /** Returns the value after an event; the same value if nothing changes. */
  protected abstract apply(value: T, event: UserEvent): T;

  /** Replaces the value and notifies the listeners. */
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
    // The constructor of the subclass may still be running.
    await Promise.resolve();
    try {
      while (this.#isReloadRequested && !this.signal.aborted) await this.#fetchSnapshot(backoff);
    } finally {
      // Cleared in the same step in which the loop ends: a reload between the two would wait for a load that is over.
      this.#loading = undefined;
    }
  }

  /** Fetches a snapshot. After a transient error it requests another one, and waits before that. */
  async #fetchSnapshot(backoff: Backoff): Promise<void> {
    this.#isReloadRequested = false;
    this.#buffered ??= [];
    try {
      this.#applySnapshot(await this.fetch(this.signal));
    } catch (error) {
      if (this.signal.aborted) return;
      const failure =
        error instanceof CallboardError ? error : new CallboardError('network', undefined, { cause: error });
      this.#waiting = new AbortController();
      this.#fail(failure);
      if (!failure.isTransient) {
        this.#buffered = undefined;
        return;
      }
      this.#isReloadRequested = true;
      await backoff.wait(this.#waiting.signal, failure);
    }
  }

  /**
   * Replaces the value with a snapshot. The snapshot includes the buffered events up to its cursor, and the events without a
   * cursor before them. Applies the remaining events in order.
   */
  #applySnapshot({ data, cursor }: Snapshot<T>): void {
    const buffered = this.#buffered ?? [];
    this.#buffered = undefined;
    this.#isLoaded = true;
    this.#error = undefined;
    this.#cursor = cursor;
    let included = buffered.length;
    while (included > 0 && (buffered[included - 1]?.id ?? Infinity) > cursor) included -= 1;
    let value = data;
    for (const { event } of buffered.slice(included)) value = this.apply(value, event);
    this.set(value);
  }

  #receive(event: UserEvent, id: number | undefined): void {
    // The displayed value is updated as well while a snapshot is fetched.
    this.#buffered?.push({ event, id });
    if (this.#value === undefined || (id !== undefined && id <= this.#cursor)) return;
    this.set(this.apply(this.#value, event));
  }

  #fail(error: CallboardError | undefined): void {
    this.#error = error;
    for (const listener of this.#listeners) safely(listener);
  }
}
