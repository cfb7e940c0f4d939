import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';

/**
 * Maximum duration of a single wait in the tests. It only ends a test that hangs, so that its failure names the missing
 * event: it is far longer than the slowest machine needs, and shorter than jest's `testTimeout`, whose failure names
 * nothing.
 */
export const MAX_WAIT_MS = 300_000;

const POLL_INTERVAL_MS = 25;

/**
 * Polls until the result is as wanted, and returns it. Only for conditions without an event to wait for.
 * @throws {Error} with the last result, after `MAX_WAIT_MS`
 */
export async function eventually<T>(
  ask: () => Promise<T>,
  wanted: (response: T) => boolean,
  { betweenMs = POLL_INTERVAL_MS } = {},
): Promise<T> {
  for (const giveUpAt = performance.now() + MAX_WAIT_MS; ;) {
    const response = await ask();
    if (wanted(response)) return response;
    if (performance.now() > giveUpAt)
      throw new Error(
        `Not within ${MAX_WAIT_MS} ms: ${String(wanted)}\nThe last answer: ${inspect(response)}`,
      );
    await pause(betweenMs);
  }
}
