import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import type { Clock } from '../clock';

const PROVIDER_TIMEOUT_MS = 3_000;
const MIN_MS_BETWEEN_FETCHES = 250;
const LOOK_AGAIN_AFTER_MS = 600_000;

/**
 * The keys of an identity provider. jose fetches and chooses them; when to fetch is decided here: a key that is not
 * known makes the request wait for the next fetch, of which there are at most four a second whatever is sent,
 * and every ten minutes the set is replaced, so that a withdrawn key goes. While the provider is away, the keys once
 * learned stay good.
 */
export class RemoteKeys {
  readonly #keys: ReturnType<typeof createRemoteJWKSet>;
  readonly #log = new Logger('RemoteKeys');
  #fetching?: Promise<void>;
  #nextFetchAt = 0;
  #lookedAt = 0;

  constructor(
    url: string,
    private readonly clock: Clock,
  ) {
    this.#keys = createRemoteJWKSet(new URL(url), {
      cacheMaxAge: Number.POSITIVE_INFINITY,
      cooldownDuration: Number.POSITIVE_INFINITY,
      timeoutDuration: PROVIDER_TIMEOUT_MS,
    });
  }

  /** For `jwtVerify`, which asks once it has seen that the token's algorithm is acceptable. */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    await this.#lookAgain();
    try {
      return await this.#keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await this.#fetch();
      return this.#keys(header, token);
    }
  };

  async #lookAgain(): Promise<void> {
    const now = this.clock.now().getTime();
    if (this.#keys.jwks() === undefined) return this.#fetch();
    if (now < this.#lookedAt + LOOK_AGAIN_AFTER_MS) return;
    this.#lookedAt = now;
    await this.#fetch().catch((error: unknown) => {
      this.#log.warn(`the provider is away, its known keys stay good: ${String(error)}`);
    });
  }

  /** Replaces the keys; whoever asks meanwhile joins in. */
  #fetch(): Promise<void> {
    this.#fetching ??= this.#fetchInTime().finally(() => {
      this.#fetching = undefined;
    });
    return this.#fetching;
  }

  async #fetchInTime(): Promise<void> {
    await pause(Math.max(0, this.#nextFetchAt - performance.now()), undefined, { ref: false });
    this.#nextFetchAt = performance.now() + MIN_MS_BETWEEN_FETCHES;
    await this.#keys.reload();
    this.#lookedAt = this.clock.now().getTime();
  }
}
