import { elapsed } from '../environment.js';
import { jittered } from '../http/retry.js';

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** A stream that ends sooner than this, again and again, is one of too many. */
const STEADY_MS = 10_000;

/** How long to wait before the next connection: from 0.5 to 30 s, twice as long each time, and less by chance. */
export class Backoff {
  #wait = FIRST_WAIT_MS;
  #liveSince: number | undefined;

  /** A connection stands. */
  begin(): void {
    this.#liveSince = elapsed();
  }

  /** It is over, or did not come about. `retryAfter`: what the service asked for, in seconds. Answers milliseconds. */
  next(retryAfter = 0): number {
    const wasSteady = this.#liveSince !== undefined && elapsed() - this.#liveSince >= STEADY_MS;
    this.#liveSince = undefined;
    if (wasSteady) this.#wait = FIRST_WAIT_MS;
    const wait = jittered(this.#wait);
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT_MS);
    return Math.max(wait, retryAfter * 1000);
  }
}
