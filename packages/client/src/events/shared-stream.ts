import { type Channel, monotonicNow, holdLock, openChannel, pause } from '../environment.js';
import type { UserEvent } from '../generated/types.gen.js';
import type { Transport } from '../http/transport.js';
import type { Stream, StreamState } from './listener.js';
import { readStream } from './read-stream.js';
import { catchUp } from './polling.js';

/** Message between tabs. `id`: the cursor of an event, if it has one. */
type Message =
  | { kind: 'hello' }
  | { kind: 'alive'; state: StreamState; cursor: number | undefined }
  | { kind: 'event'; event: UserEvent; id: number | undefined }
  | { kind: 'state'; state: StreamState }
  | { kind: 'resync'; cursor: number };

/**
 * The lock holder receives data at least every 15 s and posts `alive`. A holder that posts nothing for this time was suspended by
 * the browser, and another tab steals the lock.
 */
const HOLDER_TIMEOUT_MS = 55_000;
const CHECK_INTERVAL_MS = 5_000;
/** Delay before a tab that lost the lock requests it again. */
const REACQUIRE_DELAY_MS = 1_000;

/**
 * One event stream for all tabs of a browser, because browsers open at most six connections to an origin over HTTP/1.1. A Web
 * Lock elects the tab that reads the stream, and a BroadcastChannel forwards the events to the other tabs. When the reading tab
 * is closed, another one resumes after the last event that it has received itself.
 */
export class SharedStream {
  readonly #transport: Transport;
  readonly #stream: Stream;
  readonly #name: string;
  readonly #channel: Channel<Message>;
  #cursor: number | undefined;
  #state: StreamState | undefined;
  #isHolder = false;
  #lastMessageAt = monotonicNow();
  /** Messages that arrive while this tab fetches the events before them. */
  #buffered: Message[] | undefined;
  /** Whether events between this tab's cursor and those of the holder may be missing. */
  #isBehind: boolean;

  constructor(transport: Transport, stream: Stream, userId: number) {
    this.#transport = transport;
    this.#stream = stream;
    this.#cursor = stream.after;
    this.#isBehind = stream.after !== undefined;
    this.#name = `callboard events ${transport.baseUrl} ${userId}`;
    this.#channel = openChannel<Message>(this.#name, (message) => this.#receive(message));
  }

  /** Dispatches events until the stream's signal aborts. @throws {CallboardError} as `readStream` */
  async run(): Promise<void> {
    const { signal } = this.#stream;
    const checking = setInterval(() => this.#checkHolder(), CHECK_INTERVAL_MS);
    this.#setState('connecting');
    this.#channel.post({ kind: 'hello' });
    try {
      // A tab that is suspended for too long loses the lock, and requests it again.
      while (!signal.aborted) {
        await this.#holdWhenFree();
        await pause(REACQUIRE_DELAY_MS, signal);
      }
    } finally {
      clearInterval(checking);
      this.#channel.close();
    }
  }

  /** Waits for the lock, and reads the stream while this tab holds it. @throws {CallboardError} as `readStream` */
  async #holdWhenFree(): Promise<void> {
    const { signal } = this.#stream;
    const failures: unknown[] = [];
    const hold = (lost: AbortSignal): Promise<void> =>
      this.#hold(lost).catch((error: unknown) => void failures.push(error));
    await holdLock(this.#name, hold, { signal });
    if (failures.length > 0 && !signal.aborted) throw failures[0];
  }

  /** Reads the stream for all tabs until `lost` aborts. */
  async #hold(lost: AbortSignal): Promise<void> {
    this.#isHolder = true;
    try {
      await readStream(this.#transport, {
        after: this.#cursor,
        signal: lost,
        onEvent: (event, id) => this.#publish({ kind: 'event', event, id }),
        onState: (state) => this.#publish({ kind: 'state', state }),
        onResync: (cursor) => this.#publish({ kind: 'resync', cursor }),
        onBegin: (cursor) => {
          this.#cursor ??= cursor;
          this.#stream.onBegin?.(cursor);
        },
        onAlive: () => this.#postAlive(),
      });
    } finally {
      this.#isHolder = false;
      // Events of the next holder may have arrived while this tab was suspended.
      this.#isBehind = true;
    }
  }

  #publish(message: Message): void {
    this.#channel.post(message);
    this.#apply(message);
  }

  #postAlive(): void {
    this.#channel.post({ kind: 'alive', state: this.#state ?? 'connecting', cursor: this.#cursor });
  }

  #receive(message: Message): void {
    if (message.kind === 'hello') {
      if (this.#isHolder) this.#postAlive();
      return;
    }
    this.#lastMessageAt = monotonicNow();
    // A former holder that lost the lock while suspended may still post messages.
    if (this.#isHolder) return;
    if (this.#buffered !== undefined && message.kind !== 'alive') this.#buffered.push(message);
    else if (message.kind === 'alive') this.#onAlive(message.state, message.cursor);
    else this.#applyInOrder(message);
  }

  /** Takes the holder's state, and fetches the events up to `cursor` that this tab has missed. */
  #onAlive(state: StreamState, cursor: number | undefined): void {
    this.#cursor ??= cursor;
    if (cursor !== undefined && (this.#cursor ?? 0) >= cursor) this.#isBehind = false;
    if (this.#buffered !== undefined || cursor === undefined || (this.#cursor ?? 0) >= cursor) {
      if (this.#state !== state && this.#buffered === undefined) this.#setState(state);
      return;
    }
    this.#buffered = [];
    const onEvent = (event: UserEvent, id: number | undefined): void =>
      this.#apply({ kind: 'event', event, id });
    const onResync = (newest: number): void => this.#apply({ kind: 'resync', cursor: newest });
    catchUp(this.#transport, this.#cursor ?? 0, { signal: this.#stream.signal, onEvent, onResync })
      // The next `alive` message tries again after a failure.
      .then(
        () => (this.#isBehind = false),
        () => (this.#isBehind = true),
      )
      .finally(() => {
        const buffered = this.#buffered ?? [];
        this.#buffered = undefined;
        // Before the buffered messages, which may contain a newer state.
        if (this.#state !== state) this.#setState(state);
        for (const message of buffered) this.#applyInOrder(message);
      });
  }

  /**
   * Applies a message of the holder. Ignores events while earlier ones may be missing: they would move the cursor past those. The
   * next `alive` message fetches them all.
   */
  #applyInOrder(message: Message): void {
    if (message.kind === 'resync') this.#isBehind = false;
    if (this.#isBehind && message.kind === 'event' && message.id !== undefined) return;
    this.#apply(message);
  }

  /** Dispatches a message, unless this tab has received its event already. */
  #apply(message: Message): void {
    if (this.#stream.signal.aborted) return;
    if (message.kind === 'state') this.#setState(message.state);
    else if (message.kind === 'resync') {
      this.#cursor = message.cursor;
      this.#stream.onResync?.(message.cursor);
    } else if (message.kind === 'event') {
      const { event, id } = message;
      if (id !== undefined && this.#cursor !== undefined && id <= this.#cursor) return;
      this.#cursor = id ?? this.#cursor;
      this.#stream.onEvent?.(event, id);
    }
  }

  #setState(state: StreamState): void {
    this.#state = state;
    this.#stream.onState?.(state);
  }

  /** Steals the lock from a holder that the browser has suspended. */
  #checkHolder(): void {
    if (this.#isHolder || monotonicNow() - this.#lastMessageAt < HOLDER_TIMEOUT_MS) return;
    this.#lastMessageAt = monotonicNow();
    void holdLock(this.#name, (lost) => this.#hold(lost), { signal: this.#stream.signal, steal: true });
  }
}
