import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config';
import type { CurrentRequest } from '../concurrency/current-caller';
import { perWorker } from '../../workers/per-worker';
import { BusinessError } from '../errors/business-error';

const RETRY_AFTER_SECONDS = 1;
/** Part of the slots in use from which the share per caller is enforced. */
const CONTENDED_PART = 1 / 2;
const CALLERS_PART = 1 / 10;
/** Time after its last request for which a caller counts as active. */
const ACTIVE_FOR_MS = 5_000;

interface CallerActivity {
  caller: string;
  at: number;
}

/**
 * Limits the requests in flight per caller. While at least half of `MAX_REQUESTS_IN_FLIGHT` are in use, further
 * requests of a caller that has a tenth of them are rejected, so that one caller cannot use the slots of all others.
 */
@Injectable()
export class CallerShares {
  readonly #contended: number;
  readonly #share: number;
  readonly #inFlight = new Map<string, number>();
  #total = 0;
  /** The latest request, and the latest request of a different caller before it. */
  #latest: CallerActivity | undefined;
  #latestOfOther: CallerActivity | undefined;

  constructor(@Inject(CONFIG) { maxRequestsInFlight, workers }: Config) {
    const maxInFlight = perWorker(maxRequestsInFlight, workers);
    this.#contended = maxInFlight * CONTENDED_PART;
    this.#share = Math.ceil(maxInFlight * CALLERS_PART);
  }

  /**
   * Counts a request for its caller until `release`. Later calls for the same request, and calls for an uncounted one,
   * have no effect.
   * @throws {BusinessError} UNAVAILABLE if the caller has used its share
   */
  claim(request: CurrentRequest, caller: string): void {
    if (request.caller !== undefined || request.isUncounted) return;
    const inFlight = this.#inFlight.get(caller) ?? 0;
    if (this.#total >= this.#contended && inFlight >= this.#share)
      throw new BusinessError('UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    request.caller = caller;
    request.hasOthers = () => this.#hasOthers(caller);
    this.#recordActivity(caller);
    this.#total += 1;
    this.#inFlight.set(caller, inFlight + 1);
  }

  /** Ends the counting of a request. A later `claim` for it has no effect, because nothing would release it. */
  release(request: CurrentRequest): void {
    request.isUncounted = true;
    const { caller } = request;
    if (caller === undefined) return;
    this.#total -= 1;
    const remaining = (this.#inFlight.get(caller) ?? 0) - 1;
    if (remaining > 0) this.#inFlight.set(caller, remaining);
    else this.#inFlight.delete(caller);
  }

  #recordActivity(caller: string): void {
    if (this.#latest !== undefined && this.#latest.caller !== caller) this.#latestOfOther = this.#latest;
    this.#latest = { caller, at: performance.now() };
  }

  #hasOthers(caller: string): boolean {
    const other = this.#latest?.caller === caller ? this.#latestOfOther : this.#latest;
    return other !== undefined && performance.now() - other.at < ACTIVE_FOR_MS;
  }
}
