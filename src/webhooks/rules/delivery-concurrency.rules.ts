/** Maximum number of concurrent attempts per endpoint on an instance. */
const MAX_CONCURRENCY_PER_ENDPOINT = 5;
/** Maximum number of concurrent attempts of an instance. */
const MAX_CONCURRENCY = 50;
/**
 * Consecutive failures after which an endpoint is considered dead: one attempt at a time, a second apart, until a
 * success.
 */
const DEAD_AFTER_FAILURES = 5;
const DEAD_RETRY_INTERVAL_MS = 1_000;
/** A claim covers the deliveries that the endpoint is expected to accept within this time, at most `MAX_CLAIMED`. */
const CLAIM_FOR_MS = 1_000;
const MAX_CLAIMED = 50;

interface Endpoint {
  underWay: number;
  failuresInARow: number;
  lastFailureAt: number;
  /** Duration of the last attempt. */
  lastMs: number;
}

/** Result of an attempt. */
interface Outcome {
  ok: boolean;
  /** Duration in milliseconds. */
  ms: number;
  /** Time at which it ended, in milliseconds. */
  now: number;
}

/**
 * Limits the concurrent attempts of an instance (API 14.4). One slot is reserved for each endpoint without a
 * running attempt, even if it has nothing due, as long as there are no more endpoints than slots. So slow or dead
 * endpoints do not delay the others.
 */
export class DeliveryConcurrency {
  readonly #endpoints = new Map<number, Endpoint>();
  #underWay = 0;

  get underWay(): number {
    return this.#underWay;
  }

  /**
   * Returns the number of attempts that an endpoint may start now.
   * @param all ids of the enabled endpoints
   * @param now current time in milliseconds
   */
  availableSlots(endpointId: number, all: readonly number[], now: number): number {
    const { underWay, failuresInARow, lastFailureAt } = this.#of(endpointId);
    const idleOthers = all.filter((id) => id !== endpointId && this.#underWayOf(id) === 0).length;
    const free = MAX_CONCURRENCY - this.#underWay;
    // An endpoint without a running attempt uses its reserved slot; further slots must leave one for each idle
    // endpoint.
    const available = underWay === 0 ? Math.max(Math.min(free, 1), free - idleOthers) : free - idleOthers;
    if (failuresInARow < DEAD_AFTER_FAILURES)
      return Math.max(0, Math.min(MAX_CONCURRENCY_PER_ENDPOINT - underWay, available));
    const mayRetry = Math.abs(now - lastFailureAt) >= DEAD_RETRY_INTERVAL_MS;
    return underWay === 0 && mayRetry ? Math.max(0, Math.min(1, available)) : 0;
  }

  /**
   * Returns the number of deliveries to claim for an endpoint that may start `room` attempts: more than `room` if the
   * receiver is fast, because each claim costs a transaction.
   */
  claimSize(endpointId: number, room: number): number {
    const { failuresInARow, lastMs } = this.#of(endpointId);
    if (failuresInARow > 0) return room;
    return Math.min(room * Math.max(1, Math.floor(CLAIM_FOR_MS / Math.max(1, lastMs))), MAX_CLAIMED);
  }

  begin(endpointId: number): void {
    this.#of(endpointId).underWay += 1;
    this.#underWay += 1;
  }

  end(endpointId: number, { ok, ms, now }: Outcome): void {
    const endpoint = this.#of(endpointId);
    endpoint.lastMs = ms;
    endpoint.underWay -= 1;
    this.#underWay -= 1;
    endpoint.failuresInARow = ok ? 0 : endpoint.failuresInARow + 1;
    if (!ok) endpoint.lastFailureAt = now;
  }

  /** Deletes the state of endpoints that have nothing due and no running attempt. */
  prune(dueIds: readonly number[]): void {
    for (const [id, { underWay }] of this.#endpoints)
      if (underWay === 0 && !dueIds.includes(id)) this.#endpoints.delete(id);
  }

  #underWayOf(endpointId: number): number {
    return this.#endpoints.get(endpointId)?.underWay ?? 0;
  }

  #of(endpointId: number): Endpoint {
    const existing = this.#endpoints.get(endpointId);
    if (existing !== undefined) return existing;
    const endpoint = { underWay: 0, failuresInARow: 0, lastFailureAt: 0, lastMs: CLAIM_FOR_MS };
    this.#endpoints.set(endpointId, endpoint);
    return endpoint;
  }
}
