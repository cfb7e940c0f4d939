import { createPublicKey, webcrypto } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { decodeProtectedHeader, errors, type JWTVerifyOptions, type JWTVerifyResult, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { CONFIG, type Config } from '../../config/config';
import { algorithmOf, ASYMMETRIC_ALGORITHMS } from '../../config/public-key';
import { Clock } from '../clock';
import { BusinessError } from '../errors/business-error';
import type { TokenClaims } from './principal';
import { RemoteKeys } from './remote-keys';

const REMEMBERED_FOR_MS = 10_000;
const REMEMBERED_CHARACTERS = 16_000_000;

type KeySource = (token: string) => Promise<TokenClaims>;

/** Verifies access tokens against the keys that are configured (contract 1.6); the token never chooses the kind. */
@Injectable()
export class TokenVerifier {
  /** The current secret and the one before. */
  readonly #secrets: KeySource[];
  readonly #publicKey?: KeySource;
  readonly #jwks?: KeySource;
  /** Token → its claims. A signature costs a trip to a worker thread, and a client sends the same token for hours. */
  readonly #verified: LRUCache<string, TokenClaims>;

  constructor(
    @Inject(CONFIG) { auth }: Config,
    private readonly clock: Clock,
  ) {
    this.#verified = new LRUCache({
      maxSize: REMEMBERED_CHARACTERS,
      sizeCalculation: (_claims, token) => token.length,
      ttl: REMEMBERED_FOR_MS,
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
      .map((key) => async (token) => ownClaims(await jwtVerify(token, await key, expectations(['HS256']))));
    if (auth.publicKey !== undefined) {
      const key = createPublicKey(auth.publicKey);
      const algorithm = algorithmOf(key) ?? '';
      this.#publicKey = async (token) =>
        foreignClaims(await jwtVerify(token, key, expectations([algorithm])));
    }
    if (auth.jwksUrl !== undefined) {
      const keys = new RemoteKeys(auth.jwksUrl, clock);
      this.#jwks = async (token) =>
        foreignClaims(await jwtVerify(token, keys.find, expectations(ASYMMETRIC_ALGORITHMS)));
    }
  }

  /** The claims of a token that was found acceptable lately and still is; undefined: ask `verify`. */
  cached(token: string): TokenClaims | undefined {
    const known = this.#verified.get(token);
    return known && this.#isAlive(known) ? known : undefined;
  }

  /**
   * The claims of an acceptable token, undefined for any other.
   * @throws {BusinessError} UNAVAILABLE when the key provider is needed and cannot be reached
   */
  async verify(token: string): Promise<TokenClaims | undefined> {
    const known = this.#verified.get(token);
    if (known) return this.#isAlive(known) ? known : undefined;
    for (const source of this.#sourcesFor(token)) {
      try {
        const claims = await source(token);
        this.#verified.set(token, claims);
        return claims;
      } catch (error) {
        if (isWellSigned(error)) return undefined;
        if (!isTokensFault(error)) throw new BusinessError('UNAVAILABLE', { cause: error });
      }
    }
    return undefined;
  }

  #isAlive({ exp }: TokenClaims): boolean {
    return exp > Math.floor(this.clock.now().getTime() / 1000);
  }

  #sourcesFor(token: string): KeySource[] {
    if (usesSecret(token)) return this.#secrets;
    return [this.#publicKey, this.#jwks].filter((source) => source !== undefined);
  }
}

/** Which family of keys could have signed the token; the source itself then insists on its own algorithms. */
function usesSecret(token: string): boolean {
  try {
    return decodeProtectedHeader(token).alg === 'HS256';
  } catch {
    return false;
  }
}

/** Made once: of any other kind of key jose would make one for each token. */
const toHmacKey = (secret: string) =>
  webcrypto.subtle.importKey('raw', Buffer.from(secret, 'utf8'), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);

const ownClaims = ({ payload }: JWTVerifyResult): TokenClaims => payload as object as TokenClaims;

/** A provider's `sid` names a session of its own, not one of ours. */
const foreignClaims = (result: JWTVerifyResult): TokenClaims => ({ ...ownClaims(result), sid: undefined });

/** The source's key fits and it is the claims that do not: no other source need be asked. */
const isWellSigned = (error: unknown): boolean =>
  error instanceof errors.JWTExpired || error instanceof errors.JWTClaimValidationFailed;

/** jose's own errors speak of the token, except those of the way to the key provider. */
function isTokensFault(error: unknown): boolean {
  return (
    error instanceof errors.JOSEError &&
    !(error instanceof errors.JWKSTimeout) &&
    !(error instanceof errors.JWKSInvalid) &&
    error.code !== 'ERR_JOSE_GENERIC'
  );
}
