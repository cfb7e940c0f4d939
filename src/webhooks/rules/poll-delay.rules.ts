/** Minimum delay between two polls, so that attempts that end in the meantime share the next one. */
const MIN_DELAY_MS = 20;
const MAX_DELAY_MS = 2_000;
/** Approximate event loop time of one attempt, including its part of claiming and recording. */
const LOOP_MS_OF_ATTEMPT = 0.4;

/**
 * Returns the delay between two polls for due deliveries, 20 to 2,000 ms. An idle instance polls as fast as the
 * receivers respond; the busier the event loop, the longer the delay.
 * @param attempts number of attempts that ended since the previous call
 * @param idleness idle ratio of the event loop since then, in (0, 1]
 */
export function pollDelayMs(attempts: number, idleness: number): number {
  // Attempts may use the ratio `idleness` of the idle time, which in turn is `idleness` of the total time: hence the
  // square. They do not use all of it because the database, too, serves other requests.
  const delayMs = (attempts * LOOP_MS_OF_ATTEMPT) / idleness ** 2;
  return Math.min(Math.max(MIN_DELAY_MS, delayMs), MAX_DELAY_MS);
}
