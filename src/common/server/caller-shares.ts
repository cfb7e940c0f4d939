import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config';
import type { CurrentRequest } from '../concurrency/current-caller';
import { BusinessError } from '../errors/business-error';

const RETRY_AFTER_SECONDS = 1;
/** From this part of the slots on, no caller may have more than its share. */
const CONTENDED_PART = 1 / 2;
const CALLERS_PART = 1 / 10;
/** Time after a request for which its caller counts as active. */
const ACTIVE_FOR_MS = 5_000;

interface Seen {
  caller: string;
  at: number;
}

/**
 * Counts the requests in flight by caller. While more than half of `MAX_REQUESTS_IN_FLIGHT` are taken, a caller that has a
 * tenth of them already is refused, so that the other half is always there for other callers.
 */
@Injectable()
export class CallerShares {
  readonly #contended: number;
  readonly #share: number;
  readonly #inFlight = new Map<string, number>();
  #total = 0;
  /** The latest request, and the latest one before it of another caller. */
  #latest: Seen | undefined;
  #latestOfOther: Seen | undefined;

  constructor(@Inject(CONFIG) { maxRequestsInFlight }: Config) {
    this.#contended = maxRequestsInFlight * CONTENDED_PART;
    this.#share = Math.ceil(maxRequestsInFlight * CALLERS_PART);
  }

  /**
   * Counts a request as its caller's, once, until it is over.
   * @throws {BusinessError} UNAVAILABLE: its caller has its share
   */
  claim(request: CurrentRequest, caller: string): void {
    if (request.caller !== undefined) return;
    const inFlight = this.#inFlight.get(caller) ?? 0;
    if (this.#total >= this.#contended && inFlight >= this.#share)
      throw new BusinessError('UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    request.caller = caller;
    request.hasOthers = () => this.#hasOthers(caller);
    this.#noteActive(caller);
    this.#total += 1;
    this.#inFlight.set(caller, inFlight + 1);
  }

  /** A request is over. */
  release({ caller }: CurrentRequest): void {
    if (caller === undefined) return;
    this.#total -= 1;
    const left = (this.#inFlight.get(caller) ?? 0) - 1;
    if (left > 0) this.#inFlight.set(caller, left);
    else this.#inFlight.delete(caller);
  }

  #noteActive(caller: string): void {
    if (this.#latest !== undefined && this.#latest.caller !== caller) this.#latestOfOther = this.#latest;
    this.#latest = { caller, at: performance.now() };
  }

  #hasOthers(caller: string): boolean {
    const other = this.#latest?.caller === caller ? this.#latestOfOther : this.#latest;
    return other !== undefined && performance.now() - other.at < ACTIVE_FOR_MS;
  }
}
