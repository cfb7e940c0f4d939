import { BusinessError } from '../../common/errors/business-error';

/** Downloads that an instance sends concurrently. */
const MAX_CONCURRENT = 200;
/** Number of running downloads from which the limit per address applies. */
const CONTENDED = 100;
const MAX_OF_ADDRESS = 20;
const RETRY_AFTER_SECONDS = 1;

/** The part of an HTTP response that occupies a slot. */
interface Response {
  destroyed: boolean;
  once(event: 'close', listener: () => void): unknown;
}

/**
 * Limits the downloads of an instance. While at least 100 are running, further ones of an address that has 20 of them are
 * rejected, so that a slow client cannot use the slots of all others.
 */
export class DownloadSlots {
  #running = 0;
  readonly #byAddress = new Map<string, number>();

  /**
   * Occupies a slot until the response is complete or the client has disconnected.
   * @param address `addressKey` of the client's address
   * @throws {BusinessError} UNAVAILABLE
   */
  take(response: Response, address: string): void {
    const ofAddress = this.#byAddress.get(address) ?? 0;
    const limit = this.#running < CONTENDED ? MAX_CONCURRENT : MAX_OF_ADDRESS;
    // A client that has disconnected during the look-up closes the response no more.
    if (response.destroyed || this.#running >= MAX_CONCURRENT || ofAddress >= limit)
      throw new BusinessError('UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    this.#running += 1;
    this.#byAddress.set(address, ofAddress + 1);
    response.once('close', () => this.#release(address));
  }

  #release(address: string): void {
    this.#running -= 1;
    const left = (this.#byAddress.get(address) ?? 1) - 1;
    if (left === 0) this.#byAddress.delete(address);
    else this.#byAddress.set(address, left);
  }
}
