import { onAbort, onWakeUp } from '../environment.js';
import { CallboardError, isSessionOver } from '../errors.js';
import type { UserEvent } from '../generated/types.gen.js';
import { unwrapEnvelope } from '../http/envelope.js';
import { bearer, type Transport } from '../http/transport.js';
import { Backoff } from './backoff.js';
import { parseFrames } from './frames.js';
import { safely, type Stream, type StreamState } from './listener.js';

/** The service sends data at least every 15 s. A connection without data for this time is broken. */
const IDLE_TIMEOUT_MS = 40_000;
/** The same after the machine or the network woke up: a connection that has missed one interval is not waited for. */
const WAKE_UP_IDLE_MS = 20_000;

/** The cheapest request whose response contains the cursor. */
const ACTIVE_CALL = 'getActiveCall GET /api/calls/active';

/**
 * Fetches the id of the user's last event: a stream without a given cursor starts there.
 * @throws {CallboardError} if it fails
 */
export async function fetchCursor(transport: Transport, { signal, onBegin }: Stream): Promise<number> {
  const { cursor = 0 } = await transport.send(ACTIVE_CALL, { signal });
  onBegin?.(cursor);
  return cursor;
}

/** Passes an event to `onEvent`, or a resync to `onResync`. */
export function dispatch(event: UserEvent, id: number | undefined, { onEvent, onResync }: Stream): void {
  safely(() => (event.type === 'resync' ? onResync?.(id ?? 0) : onEvent?.(event, id)));
}

/**
 * Reads the event stream until `signal` aborts, by the protocol of docs/events.md. When the stream breaks, is silent or ends
 * with its token, it is resumed after the last dispatched event.
 * @throws {CallboardError} `signed_out`, or 401 if a new token is rejected as well: retrying does not help
 */
export async function readStream(transport: Transport, stream: Stream): Promise<void> {
  const { signal } = stream;
  const backoff = new Backoff();
  const reportState = (state: StreamState): void => safely(() => stream.onState?.(state));
  let cursor = stream.after;
  while (!signal.aborted) {
    let failure: unknown;
    const idleTimeout = new IdleTimeout(signal);
    try {
      reportState('connecting');
      cursor ??= await fetchCursor(transport, stream);
      const body = await connect(transport, cursor, idleTimeout);
      backoff.markConnected();
      reportState('live');
      const onBytes = (): void => {
        idleTimeout.reset();
        stream.onAlive?.();
      };
      for await (const { id, data } of parseFrames(body, onBytes)) {
        const event = JSON.parse(data) as UserEvent;
        const number = id === undefined ? undefined : Number(id);
        if (signal.aborted) return;
        cursor = number ?? cursor;
        dispatch(event, number, stream);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (isSessionOver(error)) throw error;
      failure = error;
    } finally {
      idleTimeout.end();
    }
    if (signal.aborted) return;
    reportState('waiting');
    await backoff.wait(signal, failure);
  }
}

/** Opens the stream. Replaces a rejected token once. @throws {CallboardError} the service's error; `not_callboard` */
async function connect(
  transport: Transport,
  cursor: number,
  { signal }: IdleTimeout,
): Promise<ReadableStream<Uint8Array>> {
  for (let mayRenew = true; ; mayRenew = false) {
    const token = await transport.tokens?.token();
    const headers = { ...bearer(token), 'Last-Event-ID': String(cursor) };
    const response = await transport.open('/api/events', { headers, signal });
    const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream');
    if (response.ok && isStream && response.body !== null) return response.body;
    try {
      unwrapEnvelope(response, await response.text());
    } catch (error) {
      const isRefused = error instanceof CallboardError && error.code === 401 && token !== undefined;
      if (isRefused && mayRenew && (await transport.tokens?.refused(token))) continue;
      throw error;
    }
    throw new CallboardError('not_callboard', undefined, { status: response.status });
  }
}

/** Aborts a connection without data for too long: proxies and networks may drop it without closing it. */
class IdleTimeout {
  readonly #ending = new AbortController();
  readonly #abort = (): void => this.#ending.abort();
  readonly #stopListening: (() => void)[];
  #timer: ReturnType<typeof setTimeout>;
  /** Time of day, because a monotonic clock may stop while the machine sleeps. */
  #lastDataAt = Date.now();

  constructor(outer: AbortSignal) {
    this.#stopListening = [onAbort(outer, this.#abort), onWakeUp(() => this.#wakeUp())];
    this.#timer = setTimeout(this.#abort, IDLE_TIMEOUT_MS);
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Call when data arrives. */
  reset(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#abort, IDLE_TIMEOUT_MS);
    this.#lastDataAt = Date.now();
  }

  /** Aborts a stale connection immediately when the machine wakes up or the network changes. */
  #wakeUp(): void {
    if (Date.now() - this.#lastDataAt > WAKE_UP_IDLE_MS) this.#abort();
  }

  end(): void {
    clearTimeout(this.#timer);
    for (const stop of this.#stopListening) stop();
    this.#ending.abort();
  }
}
