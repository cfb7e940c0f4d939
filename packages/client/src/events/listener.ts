import type { UserEvent } from '../generated/types.gen.js';

/**
 * State of the stream: `connecting`, `live`, or `waiting` for the next attempt. Events without a cursor (large groups, typing,
 * read receipts of other members) may have been missed each time it becomes `live`: refetch that data.
 */
export type StreamState = 'connecting' | 'live' | 'waiting';

/** Callbacks of an event stream. */
export interface EventListener {
  /** Called for each event once, in order. `id`: the cursor after the event; undefined for an event without a cursor. */
  onEvent?: (event: UserEvent, id: number | undefined) => void;
  onState?: (state: StreamState) => void;
  /** Called when the requested events are no longer stored: refetch everything. The stream continues after `cursor`. */
  onResync?: (cursor: number) => void;
}

/** Options of `follow` and `share`. */
export interface FollowOptions extends EventListener {
  /** The cursor to start after, from a snapshot. Default: only new events. */
  after?: number;
  /** Closes the stream. */
  signal: AbortSignal;
}

/** A stream as the modules of this folder pass it to each other. */
export interface Stream extends FollowOptions {
  /** Called with the cursor that the stream starts after, if `after` was not given. */
  onBegin?: (cursor: number) => void;
  /** Called when data arrives from the service, comments included. */
  onAlive?: () => void;
}

/** Runs a callback of the application. Its errors are reported as uncaught, and do not interrupt the caller. */
export function safely(callback: () => void): void {
  try {
    callback();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
