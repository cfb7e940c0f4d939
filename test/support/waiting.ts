import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';

/**
 * Maximum duration of a single wait in the tests. It only ends a test that hangs, so that its failure names the missing
 * event: it is far longer than the slowest machine needs, and shorter than jest's `testTimeout`, whose failure names
 * nothing.
 */
export const MAX_WAIT_MS = 300_000;

const BETWEEN_POLLS_MS = 25;

/**
 * Polls until the result is as wanted, and returns it. Only for conditions without an event to wait for.
 * @throws {Error} with the last result, after `MAX_WAIT_MS`
 */
export async function eventually<T>(
  ask: () => Promise<T>,
  wanted: (answer: T) => boolean,
  { betweenMs = BETWEEN_POLLS_MS } = {},
): Promise<T> {
  for (const giveUpAt = performance.now() + MAX_WAIT_MS; ;) {
    const answer = await ask();
    if (wanted(answer)) return answer;
    if (performance.now() > giveUpAt)
      throw new Error(`Not within ${MAX_WAIT_MS} ms: ${String(wanted)}\nThe last answer: ${inspect(answer)}`);
    await pause(betweenMs);
  }
}
