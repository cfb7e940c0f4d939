import { monotonicNow, pause } from '../environment.js';
import { isSessionOver } from '../errors.js';
import type { PollResponse, UserEvent } from '../generated/types.gen.js';
import type { Transport } from '../http/transport.js';
import { Backoff } from './backoff.js';
import { safely, type Stream, type StreamState } from './listener.js';
import { dispatch, fetchCursor } from './read-stream.js';

const POLL = 'pollEvents GET /api/events/poll';
const POLL_INTERVAL_MS = 3_000;
/** Polls do not return events without a cursor. `live` is reported this often, so that listeners refetch that data. */
const LIVE_INTERVAL_MS = 30_000;
const PAGE_SIZE = 500;

/** Dispatches the events after `cursor`, page by page, until there are no more. Returns the new cursor. */
export async function catchUp(transport: Transport, cursor: number, stream: Stream): Promise<number> {
  for (let after = cursor; ;) {
    const query = { after, limit: PAGE_SIZE };
    const { data } = await transport.send<PollResponse>(POLL, { query, signal: stream.signal });
    for (const { id, ...event } of data.items) {
      if (stream.signal.aborted) return after;
      after = id;
      dispatch(event as UserEvent, id, stream);
    }
    after = data.next_after;
    if (data.items.length === 0) return after;
  }
}

/**
 * Replaces `readStream` where a response cannot be read while it arrives, as in React Native: polls every 3 s.
 * @throws {CallboardError} `signed_out`, or 401 if a new token is rejected as well
 */
export async function pollEvents(transport: Transport, stream: Stream): Promise<void> {
  const { signal } = stream;
  const backoff = new Backoff();
  let cursor = stream.after;
  // Advances `cursor` with each event, so that a failed catch-up does not dispatch an event twice.
  const tracked: Stream = {
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
  const reportState = (state: StreamState): void => safely(() => stream.onState?.(state));
  let reportedLiveAt = -Infinity;
  while (!signal.aborted) {
    try {
      cursor ??= await fetchCursor(transport, stream);
      const isFirst = reportedLiveAt === -Infinity;
      if (isFirst) reportState('connecting');
      cursor = await catchUp(transport, cursor, tracked);
      if (isFirst) backoff.markConnected();
      if (monotonicNow() - reportedLiveAt >= LIVE_INTERVAL_MS) {
        reportedLiveAt = monotonicNow();
        reportState('live');
      }
      stream.onAlive?.();
      await pause(POLL_INTERVAL_MS, signal, { wakeable: true });
    } catch (error) {
      if (signal.aborted) return;
      if (isSessionOver(error)) throw error;
      reportedLiveAt = -Infinity;
      reportState('waiting');
      await backoff.wait(signal, error);
    }
  }
}
