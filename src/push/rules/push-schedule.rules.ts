/* Times of pushes (API 18.3, 18.4). */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Distance to the next push of an unread conversation after the first, second, … one; the last one repeats. */
const GAPS = [5 * SECOND, 10 * SECOND, 20 * SECOND, 40 * SECOND, MINUTE];

/** Maximum wait after the first, second, … failed attempt; the last one repeats. */
const WAITS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR];
const RING_WAIT = 500;
const MAX_REJECTED = 7 * DAY;

/** Time that a push needs of the event loop. */
const LOOP_MS_OF_PUSH = 0.4;
/** Maximum pause per push, so that a busy instance sends a hundred a second. */
const MAX_PAUSE_OF_PUSH = 10;

/**
 * Returns the pause after pushes of messages and notifications, which may wait, in milliseconds: of the idle time they
 * use the same share that idle time has of all time, so that requests are served first.
 * @param idleRatio of the event loop, in (0, 1]
 */
export const pauseAfterPushes = (pushes: number, idleRatio: number): number =>
  pushes * Math.min(LOOP_MS_OF_PUSH / idleRatio ** 2, MAX_PAUSE_OF_PUSH);

/** Returns the distance to the next push in milliseconds. @param pushes pushes since the conversation was last read */
export const gapAfter = (pushes: number): number => GAPS[Math.min(pushes, GAPS.length) - 1] ?? 0;

/**
 * Returns the wait before the next attempt in milliseconds.
 * @param attempts failed attempts in a row
 * @param chance random number in [0, 1): pushes that failed together are not repeated together
 * @param requestedMs minimum wait that the provider asked for
 */
export function pushWaitAfter(
  attempts: number,
  { isCall, chance, requestedMs = 0 }: { isCall: boolean; chance: number; requestedMs?: number },
): number {
  const wait = isCall
    ? RING_WAIT * 2 ** Math.min(attempts - 1, 10)
    : (WAITS[Math.min(attempts, WAITS.length) - 1] ?? 0) * chance;
  return Math.max(Math.round(wait), requestedMs);
}

/** Returns the time for which a target stays rejected in milliseconds. @param rejections in a row, from 1 */
export const rejectedFor = (rejections: number): number =>
  Math.min(HOUR * 2 ** Math.min(rejections - 1, 10), MAX_REJECTED);
