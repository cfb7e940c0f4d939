import { canElect, isVisible, onAbort, onWakeUp, pause } from '../environment.js';
import { CallboardError, isSessionOver } from '../errors.js';
import type { Transport } from '../http/transport.js';
import { Backoff } from './backoff.js';
import { type EventListener, type FollowOptions, safely, type Stream, type StreamState } from './listener.js';
import { readStream } from './read-stream.js';
import { pollEvents } from './polling.js';
import { SharedStream } from './shared-stream.js';

/** Delay before the next attempt after a token and its replacement were rejected. */
const REFUSED_MS = 30_000;

/** Returns the id of the signed-in user, so that tabs of different users do not share a stream. */
type GetUserId = () => Promise<number>;

/** The user's event stream (docs/events.md). */
export class Events {
  readonly #transport: Transport;
  readonly #getUserId: GetUserId;
  readonly #canStream: boolean;
  readonly #listeners = new Set<EventListener>();
  #subscription: AbortController | undefined;
  #state: StreamState | undefined;

  constructor(transport: Transport, { getUserId, canStream }: { getUserId: GetUserId; canStream: boolean }) {
    this.#transport = transport;
    this.#getUserId = getUserId;
    this.#canStream = canStream;
  }

  /** State of the stream that the listeners of `subscribe` share; undefined if there are none. */
  get state(): StreamState | undefined {
    return this.#state;
  }

  /**
   * Adds a listener for all events of the user. Returns a function that removes it. All listeners share one stream, and so do
   * all tabs of a browser.
   */
  subscribe(listener: EventListener): () => void {
    this.#listeners.add(listener);
    if (this.#subscription === undefined) this.#open();
    else if (this.#state !== undefined) listener.onState?.(this.#state);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#close();
    };
  }

  /** Reopens the stream for the listeners after the signed-in user changed. */
  restart(): void {
    this.#close();
    if (this.#listeners.size > 0) this.#open();
  }

  /**
   * Follows the events over one stream for all tabs of a browser. Without Web Locks (plain http, Node) it opens a separate
   * stream, which a page has only while it is visible. Resolves when `signal` aborts.
   * @throws {CallboardError} `signed_out`; 401 if a new token is rejected as well
   */
  async share(options: FollowOptions): Promise<void> {
    if (!this.#canStream) return pollEvents(this.#transport, options);
    if (!canElect()) return this.#whileVisible(options);
    const userId = await this.#waitForUserId(options.signal);
    if (userId === undefined) return undefined;
    return new SharedStream(this.#transport, options, userId).run();
  }

  /**
   * Follows the events over a separate stream.
   * @throws {CallboardError} `signed_out`; 401 if a new token is rejected as well
   */
  async follow(options: FollowOptions): Promise<void> {
    return this.#canStream ? readStream(this.#transport, options) : pollEvents(this.#transport, options);
  }

  /**
   * Returns the user's id; undefined if `signal` aborted. Retries all errors but the end of the session, also those of the
   * application's token provider: nothing else would open the stream again.
   * @throws {CallboardError} `signed_out`; 401
   */
  async #waitForUserId(signal: AbortSignal): Promise<number | undefined> {
    for (const backoff = new Backoff(); ;) {
      try {
        return await this.#getUserId();
      } catch (error) {
        if (signal.aborted) return undefined;
        if (isSessionOver(error)) throw error;
        await backoff.wait(signal, error);
      }
    }
  }

  async #whileVisible(stream: Stream): Promise<void> {
    let after = stream.after;
    while (!stream.signal.aborted) {
      await untilVisible(stream.signal);
      const ending = new AbortController();
      const end = (): void => ending.abort();
      const stopWatching = onWakeUp(() => isVisible() || end());
      const stopListening = onAbort(stream.signal, end);
      await readStream(this.#transport, {
        ...stream,
        after,
        signal: ending.signal,
        onBegin: (cursor) => {
          after ??= cursor;
          stream.onBegin?.(cursor);
        },
        onEvent: (event, id) => {
          after = id ?? after;
          stream.onEvent?.(event, id);
        },
        onResync: (cursor) => {
          after = cursor;
          stream.onResync?.(cursor);
        },
      }).finally(() => {
        stopWatching();
        stopListening();
      });
      if (!stream.signal.aborted) stream.onState?.('waiting');
    }
  }

  #open(): void {
    const subscription = new AbortController();
    this.#subscription = subscription;
    this.#keepSharing(subscription)
      // No user is signed in. The next log-in or `subscribe` opens the stream again.
      .catch(() => subscription === this.#subscription && this.#close());
  }

  /** @throws {CallboardError} `signed_out` */
  async #keepSharing(subscription: AbortController): Promise<void> {
    const { signal } = subscription;
    let after: number | undefined;
    const notify = (call: (listener: EventListener) => void): void => {
      if (!signal.aborted) for (const listener of this.#listeners) safely(() => call(listener));
    };
    const stream: Stream = {
      signal,
      onBegin: (cursor) => (after ??= cursor),
      onEvent: (event, id) => {
        after = id ?? after;
        notify((listener) => listener.onEvent?.(event, id));
      },
      onResync: (cursor) => {
        after = cursor;
        notify((listener) => listener.onResync?.(cursor));
      },
      onState: (state) => {
        if (!signal.aborted) this.#state = state;
        notify((listener) => listener.onState?.(state));
      },
    };
    while (!signal.aborted) {
      try {
        await this.share({ ...stream, after });
      } catch (error) {
        if (!(error instanceof CallboardError) || error.code !== 401) throw error;
        stream.onState?.('waiting');
        // An identity provider may return a valid token by then.
        await pause(REFUSED_MS, signal, { wakeable: true });
      }
    }
  }

  #close(): void {
    this.#subscription?.abort();
    this.#subscription = undefined;
    this.#state = undefined;
  }
}

function untilVisible(signal: AbortSignal): Promise<void> {
  if (isVisible() || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const check = (): void => {
      if (!isVisible() && !signal.aborted) return;
      stopWatching();
      signal.removeEventListener('abort', check);
      resolve();
    };
    const stopWatching = onWakeUp(check);
    signal.addEventListener('abort', check);
  });
}
