import { onAbort, onWakeUp, pause } from '../environment.js';
import { CallboardError } from '../errors.js';
import type { UserEvent } from '../generated/types.gen.js';
import { openEnvelope } from '../http/envelope.js';
import { bearer, type Transport } from '../http/transport.js';
import { Backoff } from './backoff.js';
import { framesOf } from './frames.js';
import { safely, type Stream, type StreamState } from './listener.js';

/** The service says something every 15 s; who hears nothing for longer has lost it. */
const SILENCE_MS = 40_000;
const QUIET_MS = 20_000;

/** The number of the user's last event, which costs the service least to tell with this. */
const ACTIVE_CALL = 'getActiveCall GET /api/calls/active';

/** Where a stream begins that was given no cursor. @throws {CallboardError} when the service does not tell */
export async function beginning(transport: Transport, { signal, onBegin }: Stream): Promise<number> {
  const { cursor = 0 } = await transport.send(ACTIVE_CALL, { signal });
  onBegin?.(cursor);
  return cursor;
}

/** Hands one event to whom it is for. */
export function hand(event: UserEvent, id: number | undefined, { onEvent, onResync }: Stream): void {
  safely(() => (event.type === 'resync' ? onResync?.(id ?? 0) : onEvent?.(event, id)));
}

/**
 * Reads the stream of events until `signal` aborts, by the law of docs/events.md: when it breaks, falls silent or ends with
 * its token, it goes on after the last event that was handed over.
 * @throws {CallboardError} `signed_out`, or 401 where a new token is refused as well: no waiting mends that
 */
export async function readStream(transport: Transport, stream: Stream): Promise<void> {
  const { signal } = stream;
  const backoff = new Backoff();
  const tell = (state: StreamState): void => safely(() => stream.onState?.(state));
  let cursor = stream.after;
  while (!signal.aborted) {
    let retryAfter: number | undefined;
    const silence = new Silence(signal);
    try {
      tell('connecting');
      cursor ??= await beginning(transport, stream);
      const body = await connect(transport, cursor, silence);
      backoff.begin();
      tell('live');
      const onBytes = (): void => {
        silence.broken();
        stream.onAlive?.();
      };
      for await (const { id, data } of framesOf(body, onBytes)) {
        const event = JSON.parse(data) as UserEvent;
        const number = id === undefined ? undefined : Number(id);
        if (signal.aborted) return;
        cursor = number ?? cursor;
        hand(event, number, stream);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof CallboardError) {
        if (error.code === 'signed_out' || error.code === 401) throw error;
        retryAfter = error.retryAfter;
      }
    } finally {
      silence.end();
    }
    if (signal.aborted) return;
    tell('waiting');
    await pause(backoff.next(retryAfter), signal, { wakeable: retryAfter === undefined });
  }
}

/** Opens the stream; a refused token is replaced once. @throws {CallboardError} what the service refused */
async function connect(
  transport: Transport,
  cursor: number,
  { signal }: Silence,
): Promise<ReadableStream<Uint8Array>> {
  for (let mayRenew = true; ; mayRenew = false) {
    const token = await transport.tokens?.token();
    const headers = { ...bearer(token), 'Last-Event-ID': String(cursor) };
    const response = await transport.open('/api/events', { headers, signal });
    const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream');
    if (response.ok && isStream && response.body !== null) return response.body;
    try {
      openEnvelope(response, await response.text());
    } catch (error) {
      const isRefused = error instanceof CallboardError && error.code === 401 && token !== undefined;
      if (isRefused && mayRenew && (await transport.tokens?.refused(token))) continue;
      throw error;
    }
    throw new CallboardError('not_callboard', undefined, { status: response.status });
  }
}

/** Ends a connection on which nothing has come for too long: proxies and networks break them without a word. */
class Silence {
  readonly #ending = new AbortController();
  readonly #abort = (): void => this.#ending.abort();
  readonly #stopListening: (() => void)[];
  #timer: ReturnType<typeof setTimeout>;
  /** By the time of day, which goes on while the machine sleeps. */
  #brokenAt = Date.now();

  constructor(outer: AbortSignal) {
    this.#stopListening = [onAbort(outer, this.#abort), onWakeUp(() => this.#wakeUp())];
    this.#timer = setTimeout(this.#abort, SILENCE_MS);
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  broken(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#abort, SILENCE_MS);
    this.#brokenAt = Date.now();
  }

  /** After a sleep, or in another network, nobody need wait for what was cut off. */
  #wakeUp(): void {
    if (Date.now() - this.#brokenAt > QUIET_MS) this.#abort();
  }

  end(): void {
    clearTimeout(this.#timer);
    for (const stop of this.#stopListening) stop();
    this.#ending.abort();
  }
}
