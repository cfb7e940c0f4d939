/* When the service switches an endpoint off by itself (contract 12.2). */

const SILENT_FOR_MS = 5 * 24 * 3_600_000;
const LEAST_ATTEMPTS = 20;

/** The answer of a receiver that wants to hear nothing any more. */
export const GONE = 410;

/**
 * Whether nothing has succeeded for too long.
 * @param failedAttempts since the last success, or since it was switched on
 * @param silentSince the last success, or else the first failure since it was switched on
 */
export const isFailing = (failedAttempts: number, silentSince: Date | null, now: Date): boolean =>
  failedAttempts >= LEAST_ATTEMPTS &&
  silentSince !== null &&
  now.getTime() - silentSince.getTime() >= SILENT_FOR_MS;
