/**
 * Time limits of a process that are no settings, because operators have no reason to change them. Tests of the built service
 * do, before it starts (`test/support/timings.ts`): a limit that a test waits for is short there, and one that must not be
 * reached on a slow machine is long.
 */
export const TIMINGS = {
  /** The headers of a request must be complete within this time, so that a slow client cannot hold a connection for nothing. */
  headersWithinMs: 10_000,
  /** Maximum time for a request with its body. */
  requestWithinMs: 30_000,
  /** A body that has not grown by `LEAST_BYTES` within this time loses its connection. */
  bodyGrowsWithinMs: 10_000,
  /** A gauge that takes longer is NaN, so that a metric never holds up the others. */
  gaugeWithinMs: 1_000,
  /** Maximum wait for another process that writes to the SQLite file. */
  fileLockWithinMs: 5_000,
  /** Maximum duration of a shutdown; then the process exits, even with work that hangs (contract 8). */
  shutdownWithinMs: 10_000,
};
