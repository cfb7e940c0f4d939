import { canElect, isVisible, onAbort, onWakeUp, pause } from '../environment.js';
import { CallboardError } from '../errors.js';
import type { Transport } from '../http/transport.js';
import { Backoff } from './backoff.js';
import { type EventListener, type FollowOptions, safely, type Stream, type StreamState } from './listener.js';
import { readStream } from './own-stream.js';
import { pollEvents } from './polling.js';
import { SharedStream } from './shared-stream.js';

/** Whose token was refused, and its successor too, asks again after this. */
const REFUSED_MS = 30_000;

/** Who listens, so that tabs of different users do not share a stream. */
type WhoListens = (signal: AbortSignal) => Promise<number>;

/** What happens to the user, as it happens (docs/events.md). */
export class Events {
  readonly #transport: Transport;
  readonly #whoListens: WhoListens;
  readonly #canStream: boolean;
  readonly #listeners = new Set<EventListener>();
  #subscription: AbortController | undefined;
  #state: StreamState | undefined;

  constructor(
    transport: Transport,
    { whoListens, canStream }: { whoListens: WhoListens; canStream: boolean },
  ) {
    this.#transport = transport;
    this.#whoListens = whoListens;
    this.#canStream = canStream;
  }

  /** How the stream of those who `subscribe` stands; undefined without any. */
  get state(): StreamState | undefined {
    return this.#state;
  }

  /**
   * Hears of everything until the answered function is called. All who subscribe share one stream, and so do all tabs of
   * a browser.
   */
  subscribe(listener: EventListener): () => void {
    this.#listeners.add(listener);
    if (this.#subscription === undefined) this.#begin();
    else if (this.#state !== undefined) listener.onState?.(this.#state);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#end();
    };
  }

  /** Those who listen hear of whoever is signed in now. */
  restart(): void {
    this.#end();
    if (this.#listeners.size > 0) this.#begin();
  }

  /**
   * Follows the events over one stream for all tabs of a browser; where tabs cannot agree (plain http, Node), over a stream
   * of its own, which a page has only while it is visible. Resolves when `signal` aborts.
   * @throws {CallboardError} `signed_out`; 401 where a new token is refused as well
   */
  async share(options: FollowOptions): Promise<void> {
    if (!this.#canStream) return pollEvents(this.#transport, options);
    if (!canElect()) return this.#whileVisible(options);
    const userId = await this.#untilKnown(options.signal);
    if (userId === undefined) return undefined;
    return new SharedStream(this.#transport, options, userId).run();
  }

  /** Follows the events over a stream of its own. @throws {CallboardError} as `share` */
  async follow(options: FollowOptions): Promise<void> {
    return this.#canStream ? readStream(this.#transport, options) : pollEvents(this.#transport, options);
  }

  /** Who listens, as soon as the service can be asked; undefined: given up. @throws {CallboardError} what does not pass */
  async #untilKnown(signal: AbortSignal): Promise<number | undefined> {
    for (const backoff = new Backoff(); ;) {
      try {
        return await this.#whoListens(signal);
      } catch (error) {
        if (signal.aborted) return undefined;
        if (!(error instanceof CallboardError) || !error.isTransient) throw error;
        await pause(backoff.next(error.retryAfter), signal, { wakeable: true });
      }
    }
  }

  async #whileVisible(stream: Stream): Promise<void> {
    let after = stream.after;
    while (!stream.signal.aborted) {
      await untilVisible(stream.signal);
      const ending = new AbortController();
      const end = (): void => ending.abort();
      const stopLooking = onWakeUp(() => isVisible() || end());
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
        stopLooking();
        stopListening();
      });
      if (!stream.signal.aborted) stream.onState?.('waiting');
    }
  }

  #begin(): void {
    const subscription = new AbortController();
    this.#subscription = subscription;
    this.#keepSharing(subscription)
      // Nobody is signed in, or not any more: whoever signs in, or subscribes, begins again.
      .catch(() => subscription === this.#subscription && this.#end());
  }

  /** @throws {CallboardError} `signed_out` */
  async #keepSharing(subscription: AbortController): Promise<void> {
    const { signal } = subscription;
    let after: number | undefined;
    const each = (act: (listener: EventListener) => void): void => {
      if (!signal.aborted) for (const listener of this.#listeners) safely(() => act(listener));
    };
    const stream: Stream = {
      signal,
      onBegin: (cursor) => (after ??= cursor),
      onEvent: (event, id) => {
        after = id ?? after;
        each((listener) => listener.onEvent?.(event, id));
      },
      onResync: (cursor) => {
        after = cursor;
        each((listener) => listener.onResync?.(cursor));
      },
      onState: (state) => {
        if (!signal.aborted) this.#state = state;
        each((listener) => listener.onState?.(state));
      },
    };
    while (!signal.aborted) {
      try {
        await this.share({ ...stream, after });
      } catch (error) {
        if (!(error instanceof CallboardError) || error.code !== 401) throw error;
        stream.onState?.('waiting');
        // An identity provider may have a better token by then.
        await pause(REFUSED_MS, signal, { wakeable: true });
      }
    }
  }

  #end(): void {
    this.#subscription?.abort();
    this.#subscription = undefined;
    this.#state = undefined;
  }
}

function untilVisible(signal: AbortSignal): Promise<void> {
  if (isVisible() || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const look = (): void => {
      if (!isVisible() && !signal.aborted) return;
      stopLooking();
      signal.removeEventListener('abort', look);
      resolve();
    };
    const stopLooking = onWakeUp(look);
    signal.addEventListener('abort', look);
  });
}
