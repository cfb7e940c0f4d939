/**
 * Time limits that are not configurable, because operators have no reason to change them. Tests of the built service
 * change them before it starts (`test/support/timings.ts`): limits that a test waits for are shorter, and limits that a
 * slow machine must not reach are longer.
 */
export const TIMINGS = {
  /**
   * The headers of a request must be complete within this time, so that a slow client cannot hold a connection for
   * nothing.
   */
  headersWithinMs: 10_000,
  /** Maximum time for a request with its body. */
  requestWithinMs: 30_000,
  /** Idle connections are kept longer than load balancers keep theirs (60 s), so that the load balancer closes them. */
  keepAliveMs: 72_000,
  /** The connection of a body that has not grown by `MIN_GROWTH_BYTES` within this time is closed. */
  bodyGrowsWithinMs: 10_000,
  /** Maximum time for an uploaded file, which is exempt from the two limits above. */
  uploadWithinMs: 600_000,
  /** An upload of which no byte arrives for this time is cut off. */
  uploadSilenceMs: 30_000,
  /** Lease of a request that writes to a resumable upload. After a crash, another instance waits this long. */
  uploadLeaseMs: 10_000,
  /** Interval at which that lease is renewed, and at which the request learns that another one waits for it. */
  uploadRenewalMs: 1_000,
  /** Maximum time to connect to a receiver of webhooks and pushes. */
  connectWithinMs: 5_000,
  /** A gauge that takes longer is NaN, so that it does not delay the other metrics. */
  gaugeWithinMs: 1_000,
  /** `cacheByCost` does not cache results of loads that take less time. */
  cachedFromMs: 20,
  /** A transaction or statement that takes less time, such as most reads, causes no debt of its caller (ADR 0053). */
  debtFromMs: 1,
  /** Time after which a transaction is not retried after a deadlock or lock time-out. */
  retryTransactionsForMs: 10_000,
  /** Maximum time to connect to Redis, and for one of its commands. */
  redisWithinMs: 1_000,
  /** Maximum wait for another process that writes to the SQLite file. */
  fileLockWithinMs: 5_000,
  /** Interval at which event streams are checked, and polled for events whose notification was lost. */
  eventTickMs: 1_000,
  /** A terminal that has sent a signal counts as gone after this time without another signal or report (API 6.7). */
  terminalLeaseMs: 60_000,
  /** Maximum duration of a shutdown; then the process exits, even if work is still running (API 16.3). */
  shutdownWithinMs: 10_000,
};
