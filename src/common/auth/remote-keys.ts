import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import type { Clock } from '../clock';
import { cacheLoad } from '../concurrency/cache-load';

const PROVIDER_TIMEOUT_MS = 3_000;
const MIN_MS_BETWEEN_FETCHES = 250;
const REFRESH_INTERVAL_MS = 600_000;
const RETRY_INTERVAL_MS = 30_000;

/**
 * Key set of an identity provider. jose fetches the set and selects keys; this class decides when to fetch. A token
 * with an unknown key waits for the next fetch; at most four fetches per second are made. The set is replaced every ten
 * minutes, so that a withdrawn key becomes invalid. While the provider is unreachable, the cached keys stay valid, and
 * the refresh is repeated every 30 seconds.
 */
export class RemoteKeys {
  readonly #keys: ReturnType<typeof createRemoteJWKSet>;
  readonly #log = new Logger('RemoteKeys');
  /** Replaces the keys. Concurrent calls share one fetch. */
  readonly #fetch = cacheLoad(
    () => this.#fetchThrottled(),
    () => 0,
  );
  #nextFetchAt = 0;
  #refreshAt = 0;

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

  /** Key resolver for `jwtVerify`, which calls it after it has checked the algorithm of the token. */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    await this.#refreshIfStale();
    try {
      return await this.#keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await this.#fetch();
      return this.#keys(header, token);
    }
  };

  async #refreshIfStale(): Promise<void> {
    const now = this.clock.now().getTime();
    if (this.#keys.jwks() === undefined) return this.#fetch();
    if (now < this.#refreshAt) return;
    this.#refreshAt = now + RETRY_INTERVAL_MS;
    await this.#fetch().catch((error: unknown) => {
      this.#log.warn(
        `Failed to refresh the keys of the identity provider, keeping the cached keys: ${String(error)}`,
      );
    });
  }

  async #fetchThrottled(): Promise<void> {
    await pause(Math.max(0, this.#nextFetchAt - performance.now()), undefined, { ref: false });
    this.#nextFetchAt = performance.now() + MIN_MS_BETWEEN_FETCHES;
    await this.#keys.reload();
    this.#refreshAt = this.clock.now().getTime() + REFRESH_INTERVAL_MS;
  }
}
