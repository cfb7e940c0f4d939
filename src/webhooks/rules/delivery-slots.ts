/** So many attempts of one endpoint are under way on an instance at most. */
const MOST_OF_ONE = 5;
/** So many of all. */
const MOST_OF_ALL = 50;
/** After so many failures in a row an endpoint is taken for dead: until a success, it is tried one by one, a second apart. */
const FAILURES_OF_THE_DEAD = 5;
const BETWEEN_TRIES_OF_THE_DEAD_MS = 1_000;
/** What an endpoint is expected to take within this time can be claimed together, up to so many. */
const CLAIM_FOR_MS = 1_000;
const MOST_CLAIMED = 50;

interface Endpoint {
  underWay: number;
  failuresInARow: number;
  lastFailureAt: number;
  /** How long the last attempt took. */
  lastMs: number;
}

/** What has come of an attempt. */
interface Outcome {
  ok: boolean;
  /** How long it took, in milliseconds. */
  ms: number;
  /** When it ended, in milliseconds. */
  now: number;
}

/**
 * How many attempts an instance may begin (contract 12.2). A place is kept for each endpoint that has none under way, also
 * while nothing waits for it, as long as there are not more endpoints than places; so however slow or dead some are, they
 * delay nobody else.
 */
export class DeliverySlots {
  readonly #endpoints = new Map<number, Endpoint>();
  #underWay = 0;

  get underWay(): number {
    return this.#underWay;
  }

  /**
   * How many attempts an endpoint may begin now.
   * @param all the endpoints that are on
   * @param now in milliseconds
   */
  roomFor(endpointId: number, all: readonly number[], now: number): number {
    const { underWay, failuresInARow, lastFailureAt } = this.#of(endpointId);
    const idleOthers = all.filter((id) => id !== endpointId && this.#underWayOf(id) === 0).length;
    const free = MOST_OF_ALL - this.#underWay;
    // The first place is each one's own, the others are what is left when everybody has had one.
    const left = underWay === 0 ? Math.max(Math.min(free, 1), free - idleOthers) : free - idleOthers;
    if (failuresInARow < FAILURES_OF_THE_DEAD) return Math.max(0, Math.min(MOST_OF_ONE - underWay, left));
    const isRested = Math.abs(now - lastFailureAt) >= BETWEEN_TRIES_OF_THE_DEAD_MS;
    return underWay === 0 && isRested ? Math.max(0, Math.min(1, left)) : 0;
  }

  /**
   * How many deliveries of an endpoint are worth claiming where `room` can begin: more than that of one whose receiver is
   * quick, so that a claim, which takes a transaction, serves many.
   */
  worthClaiming(endpointId: number, room: number): number {
    const { failuresInARow, lastMs } = this.#of(endpointId);
    if (failuresInARow > 0) return room;
    return Math.min(room * Math.max(1, Math.floor(CLAIM_FOR_MS / Math.max(1, lastMs))), MOST_CLAIMED);
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

  /** What is known of endpoints that have nothing waiting is forgotten. */
  keep(waiting: readonly number[]): void {
    for (const [id, { underWay }] of this.#endpoints)
      if (underWay === 0 && !waiting.includes(id)) this.#endpoints.delete(id);
  }

  #underWayOf(endpointId: number): number {
    return this.#endpoints.get(endpointId)?.underWay ?? 0;
  }

  #of(endpointId: number): Endpoint {
    const known = this.#endpoints.get(endpointId);
    if (known !== undefined) return known;
    const endpoint = { underWay: 0, failuresInARow: 0, lastFailureAt: 0, lastMs: CLAIM_FOR_MS };
    this.#endpoints.set(endpointId, endpoint);
    return endpoint;
  }
}
