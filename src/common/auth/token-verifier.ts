import { createPublicKey, webcrypto } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  type JWTVerifyOptions,
  type JWTVerifyResult,
  jwtVerify,
} from 'jose';
import { LRUCache } from 'lru-cache';
import { tryTo } from '../../config/try-to';
import { CONFIG, type Config } from '../../config/config';
import { algorithmOf, ASYMMETRIC_ALGORITHMS } from '../../config/public-key';
import { Clock } from '../clock';
import { BusinessError } from '../errors/business-error';
import type { TokenClaims, TokenRefusal } from './principal';
import { RemoteKeys } from './remote-keys';
import { readOwnClaims, readProviderClaims } from './token-claims';
import { refusalOf } from './token-refusal';

/** Short for providers, which may withdraw keys. The service's own secrets do not change while it runs. */
const CACHE_TTL_MS = { provider: 10_000, own: 300_000 };
const MAX_CACHED_CHARACTERS = 16_000_000;

interface KeySource {
  /** @throws {errors.JOSEError} if the token is invalid */
  verify: (token: string) => Promise<JWTVerifyResult>;
  /** Returns undefined if the token identifies no user. */
  read: (payload: JWTPayload) => TokenClaims | undefined;
  /** How long a verified token is cached. */
  cacheTtlMs: number;
}

/**
 * Verifies access tokens with the configured keys (API 2.1). Each key accepts its own algorithms only, regardless
 * of the header of the token.
 */
@Injectable()
export class TokenVerifier {
  /** The current secret and the previous one. */
  readonly #secrets: KeySource[];
  /** Keys of the identity providers: `JWT_PUBLIC_KEY` and `JWT_JWKS_URL`. */
  readonly #providers: KeySource[] = [];
  /**
   * Token → claims. Checking a signature takes a round trip to a worker thread, and a client sends the same token for
   * hours.
   */
  readonly #verified: LRUCache<string, TokenClaims>;

  constructor(
    @Inject(CONFIG) { auth }: Config,
    private readonly clock: Clock,
  ) {
    this.#verified = new LRUCache({
      maxSize: MAX_CACHED_CHARACTERS,
      sizeCalculation: (_claims, token) => token.length,
      ttl: CACHE_TTL_MS.provider,
      ttlResolution: 0,
      perf: { now: () => clock.now().getTime() },
    });
    const expectations = (algorithms: string[]): JWTVerifyOptions => ({
      algorithms,
      issuer: auth.issuer,
      audience: auth.audience,
      requiredClaims: ['exp', 'sub'],
      currentDate: clock.now(),
    });
    this.#secrets = [auth.secret, auth.previousSecret]
      .filter((secret) => secret !== undefined)
      .map(toHmacKey)
      .map((key) => ({
        verify: async (token) => jwtVerify(token, await key, expectations(['HS256'])),
        read: readOwnClaims,
        cacheTtlMs: CACHE_TTL_MS.own,
      }));
    const providerSource = {
      read: (payload: JWTPayload) => readProviderClaims(payload, auth.provider),
      cacheTtlMs: CACHE_TTL_MS.provider,
    };
    if (auth.publicKey !== undefined) {
      const key = createPublicKey(auth.publicKey);
      const algorithm = algorithmOf(key) ?? '';
      this.#providers.push({
        verify: (token) => jwtVerify(token, key, expectations([algorithm])),
        ...providerSource,
      });
    }
    if (auth.jwksUrl !== undefined) {
      const { find } = new RemoteKeys(auth.jwksUrl, clock);
      const verify = (token: string) => jwtVerify(token, find, expectations(ASYMMETRIC_ALGORITHMS));
      this.#providers.push({ verify, ...providerSource });
    }
  }

  /** Returns the claims of a token that was verified recently and has not expired; undefined: call `verify`. */
  cached(token: string): TokenClaims | undefined {
    const cached = this.#verified.get(token);
    return cached && this.#isUnexpired(cached) ? cached : undefined;
  }

  /**
   * Returns the claims of a valid token, or the reason for which it is rejected.
   * @throws {BusinessError} UNAVAILABLE when the key provider is needed and cannot be reached
   */
  async verify(token: string): Promise<TokenClaims | TokenRefusal> {
    const cached = this.#verified.get(token);
    if (cached) return this.#isUnexpired(cached) ? cached : 'expired';
    const algorithm = tryTo(() => decodeProtectedHeader(token).alg);
    if (algorithm === undefined) return 'malformed';
    // Selects the keys that can have signed the token; each source then checks its own algorithms.
    const sources = algorithm === 'HS256' ? this.#secrets : this.#providers;
    let refusal: TokenRefusal = 'algorithm';
    for (const { verify, read, cacheTtlMs } of sources) {
      try {
        const claims = read((await verify(token)).payload);
        if (claims === undefined) return 'no sub';
        this.#verified.set(token, claims, { ttl: cacheTtlMs });
        return claims;
      } catch (error) {
        if (!isTokenError(error)) throw new BusinessError('UNAVAILABLE', { cause: error });
        refusal = refusalOf(error);
        if (isSignatureValid(error)) return refusal;
      }
    }
    return refusal;
  }

  #isUnexpired({ exp }: TokenClaims): boolean {
    return exp > Math.floor(this.clock.now().getTime() / 1000);
  }
}

/** Imports the secret once. From any other kind of key, jose would create a CryptoKey for each token. */
const toHmacKey = (secret: string) =>
  webcrypto.subtle.importKey('raw', Buffer.from(secret, 'utf8'), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);

/** Whether the signature is valid and the claims are not: no other source needs to be tried. */
const isSignatureValid = (error: unknown): boolean =>
  error instanceof errors.JWTExpired || error instanceof errors.JWTClaimValidationFailed;

/** Whether the token is invalid. Errors of jose are about the token, except those of fetching the provider's keys. */
function isTokenError(error: unknown): error is errors.JOSEError {
  return (
    error instanceof errors.JOSEError &&
    !(error instanceof errors.JWKSTimeout) &&
    !(error instanceof errors.JWKSInvalid) &&
    error.code !== 'ERR_JOSE_GENERIC'
  );
}
