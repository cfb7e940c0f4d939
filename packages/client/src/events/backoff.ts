import { monotonicNow, pause } from '../environment.js';
import { CallboardError } from '../errors.js';
import { jittered } from '../http/retry.js';

const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 30_000;
/** A connection that lasted shorter than this does not reset the delay: the service may be closing too many streams. */
const STEADY_MS = 10_000;

/** Exponential backoff between connections: 0.5 s to 30 s, doubled each time, with jitter. */
export class Backoff {
  #wait = FIRST_WAIT_MS;
  #liveSince: number | undefined;

  /** Call when a connection is established. */
  markConnected(): void {
    this.#liveSince = monotonicNow();
  }

  /**
   * Waits after a connection ended, or failed with `error`. The wait lasts at least as long as the error's `Retry-After`. Without one
   * it also ends when the network comes back or the page becomes visible.
   */
  async wait(signal: AbortSignal | undefined, error?: unknown): Promise<void> {
    const retryAfter = error instanceof CallboardError ? error.retryAfter : undefined;
    const ms = Math.max(this.#next(), (retryAfter ?? 0) * 1000);
    await pause(ms, signal, { wakeable: retryAfter === undefined });
  }

  #next(): number {
    const wasSteady = this.#liveSince !== undefined && monotonicNow() - this.#liveSince >= STEADY_MS;
    this.#liveSince = undefined;
    if (wasSteady) this.#wait = FIRST_WAIT_MS;
    const wait = jittered(this.#wait);
    this.#wait = Math.min(this.#wait * 2, MAX_WAIT_MS);
    return wait;
  }
}
