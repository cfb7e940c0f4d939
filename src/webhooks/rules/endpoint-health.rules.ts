/* When the service disables an endpoint (API 14.6). */

const MAX_SILENCE_MS = 5 * 24 * 3_600_000;
const MIN_FAILED_ATTEMPTS = 20;

/** HTTP status by which a receiver unsubscribes permanently. */
export const GONE = 410;

/**
 * Whether an endpoint has failed for too long: no success for 5 days, with at least 20 failed attempts.
 * @param failedAttempts failed attempts since the last success, or since the endpoint was enabled or its URL changed
 * @param silentSince time of the last success, else of the first failure since the endpoint was enabled or its URL
 *   changed
 */
export const isFailing = (failedAttempts: number, silentSince: Date | null, now: Date): boolean =>
  failedAttempts >= MIN_FAILED_ATTEMPTS &&
  silentSince !== null &&
  now.getTime() - silentSince.getTime() >= MAX_SILENCE_MS;
