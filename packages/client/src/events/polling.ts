import { elapsed, pause } from '../environment.js';
import { CallboardError } from '../errors.js';
import type { PollResponse, UserEvent } from '../generated/types.gen.js';
import type { Transport } from '../http/transport.js';
import { Backoff } from './backoff.js';
import { safely, type Stream, type StreamState } from './listener.js';
import { beginning, hand } from './own-stream.js';

const POLL = 'pollEvents GET /api/events/poll';
const EVERY_MS = 3_000;
/** The poll does not bring what is told live alone; who listens is told to fetch it this often. */
const FETCH_EVERY_MS = 30_000;
const PAGE = 500;

/** Hands the events after `cursor` on, page by page, until there are no more; answers the new cursor. */
export async function catchUp(transport: Transport, cursor: number, stream: Stream): Promise<number> {
  for (let after = cursor; ;) {
    const query = { after, limit: PAGE };
    const { data } = await transport.send<PollResponse>(POLL, { query, signal: stream.signal });
    for (const { id, ...event } of data.items) {
      if (stream.signal.aborted) return after;
      after = id;
      hand(event as UserEvent, id, stream);
    }
    after = data.next_after;
    if (data.items.length === 0) return after;
  }
}

/**
 * The same as `readStream` where responses cannot be read while they come, as in React Native: asks every 3 s.
 * @throws {CallboardError} `signed_out` and 401
 */
export async function pollEvents(transport: Transport, stream: Stream): Promise<void> {
  const { signal } = stream;
  const backoff = new Backoff();
  let cursor = stream.after;
  // What was handed over is not asked for again, whatever breaks in between.
  const noting: Stream = {
    ...stream,
    onEvent: (event, id) => {
      cursor = id;
      stream.onEvent?.(event, id);
    },
    onResync: (newest) => {
      cursor = newest;
      stream.onResync?.(newest);
    },
  };
  const tell = (state: StreamState): void => safely(() => stream.onState?.(state));
  let toldLiveAt = -Infinity;
  while (!signal.aborted) {
    let wait = EVERY_MS;
    try {
      cursor ??= await beginning(transport, stream);
      const isFirst = toldLiveAt === -Infinity;
      if (isFirst) tell('connecting');
      cursor = await catchUp(transport, cursor, noting);
      if (isFirst) backoff.begin();
      if (elapsed() - toldLiveAt >= FETCH_EVERY_MS) {
        toldLiveAt = elapsed();
        tell('live');
      }
      stream.onAlive?.();
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof CallboardError && (error.code === 'signed_out' || error.code === 401)) throw error;
      toldLiveAt = -Infinity;
      tell('waiting');
      wait = backoff.next(error instanceof CallboardError ? error.retryAfter : undefined);
    }
    await pause(wait, signal, { wakeable: true });
  }
}
