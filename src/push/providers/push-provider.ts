import type { OutboundAnswer } from '../../outbound/outbound-client';
import type { PushAddress, PushMessage, PushOutcome } from '../rules/push-message.rules';

/** Time after which an attempt has failed. */
export const PUSH_TIMEOUT_MS = 10_000;

/** Sends pushes to the terminals of one or more kinds of targets. */
export interface PushProvider {
  /**
   * Makes one attempt.
   * @param signal aborts it
   * @throws {OutboundError} if there is no response
   */
  post(target: PushAddress, message: PushMessage, signal?: AbortSignal): Promise<OutboundAnswer>;

  /** Converts the response of an attempt. */
  outcomeOf(response: OutboundAnswer, target: PushAddress): PushOutcome;
}

/** A token of the sender that is renewed before it expires, and when the provider rejects it. */
export class RenewedToken {
  #token?: Promise<string>;
  #renewAt = 0;

  /**
   * @param issue returns a new token
   * @param lifeMs time after which it is renewed
   */
  constructor(
    private readonly issue: () => Promise<string>,
    private readonly lifeMs: number,
  ) {}

  /** Returns the token; concurrent calls share a renewal. @param now in milliseconds since 1970 */
  get(now: number): Promise<string> {
    if (this.#token !== undefined && now < this.#renewAt) return this.#token;
    this.#renewAt = now + this.lifeMs;
    const token = this.issue();
    this.#token = token;
    // A failure is not remembered.
    token.catch(() => this.#discard(token));
    return token;
  }

  /**
   * Posts a request with the token. If the response rejects the token, posts it a second time with a new one, but not a
   * third time: a wrong key or a revoked account would be rejected again and again.
   */
  async post(
    now: number,
    request: (token: string) => Promise<OutboundAnswer>,
    isRejected: (response: OutboundAnswer) => boolean,
  ): Promise<OutboundAnswer> {
    const token = this.get(now);
    const response = await request(await token);
    if (!isRejected(response)) return response;
    this.#discard(token);
    return request(await this.get(now));
  }

  /** Discards a token, so that the next call issues another one. Does nothing if it was replaced already. */
  #discard(token: Promise<string>): void {
    if (this.#token === token) this.#token = undefined;
  }
}
