import type { UserEvent } from '../generated/types.gen.js';

/**
 * How the stream stands: `connecting`, `live`, or `waiting` to try again. Each time it becomes live, what carries no cursor
 * (large groups, typing, others' reading) may have been missed: fetch it anew.
 */
export type StreamState = 'connecting' | 'live' | 'waiting';

/** What comes out of a stream of events. */
export interface EventListener {
  /** In order, each once. `id`: the cursor that it moves to; undefined of what is told live alone. */
  onEvent?: (event: UserEvent, id: number | undefined) => void;
  onState?: (state: StreamState) => void;
  /** What was asked for is gone: fetch everything anew. The stream goes on after `cursor`. */
  onResync?: (cursor: number) => void;
}

/** A stream to follow. */
export interface FollowOptions extends EventListener {
  /** The cursor to begin after, of a snapshot; from now on when left out. */
  after?: number;
  /** Ends it. */
  signal: AbortSignal;
}

/** A stream as its parts hand it on to each other. */
export interface Stream extends FollowOptions {
  /** The cursor that it begins after, where none was given. */
  onBegin?: (cursor: number) => void;
  /** Whoever sends is there, though there may be nothing to tell. */
  onAlive?: () => void;
}

/** Runs what an application has handed in: its errors are told as uncaught ones, and break nothing here. */
export function safely(act: () => void): void {
  try {
    act();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
