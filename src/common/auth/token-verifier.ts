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
import { CONFIG, type Config } from '../../config/config';
import { algorithmOf, ASYMMETRIC_ALGORITHMS } from '../../config/public-key';
import { Clock } from '../clock';
import { BusinessError } from '../errors/business-error';
import type { TokenClaims, TokenRefusal } from './principal';
import { RemoteKeys } from './remote-keys';
import { readOwnClaims, readProviderClaims } from './token-claims';
import { refusalOf } from './token-refusal';

/** A provider may withdraw its keys; the service's own secrets stay as long as it runs. */
const REMEMBERED_FOR_MS = { provider: 10_000, own: 300_000 };
const REMEMBERED_CHARACTERS = 16_000_000;

/** Verifies a token with its keys, or throws one of jose's errors; reads what it says, if it names anybody. */
interface KeySource {
  verify: (token: string) => Promise<JWTVerifyResult>;
  read: (payload: JWTPayload) => TokenClaims | undefined;
  /** How long it need not be asked again whether its signature is good. */
  rememberedForMs: number;
}

/** Verifies access tokens against the keys that are configured (contract 1.6); the token never chooses the kind. */
@Injectable()
export class TokenVerifier {
  /** The current secret and the one before. */
  readonly #secrets: KeySource[];
  /** The identity provider's keys: the one in the environment, and those behind an address. */
  readonly #providers: KeySource[] = [];
  /** Token → its claims. A signature costs a trip to a worker thread, and a client sends the same token for hours. */
  readonly #verified: LRUCache<string, TokenClaims>;

  constructor(
    @Inject(CONFIG) { auth }: Config,
    private readonly clock: Clock,
  ) {
    this.#verified = new LRUCache({
      maxSize: REMEMBERED_CHARACTERS,
      sizeCalculation: (_claims, token) => token.length,
      ttl: REMEMBERED_FOR_MS.provider,
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
        rememberedForMs: REMEMBERED_FOR_MS.own,
      }));
    const ofProvider = {
      read: (payload: JWTPayload) => readProviderClaims(payload, auth.provider),
      rememberedForMs: REMEMBERED_FOR_MS.provider,
    };
    if (auth.publicKey !== undefined) {
      const key = createPublicKey(auth.publicKey);
      const algorithm = algorithmOf(key) ?? '';
      this.#providers.push({
        verify: (token) => jwtVerify(token, key, expectations([algorithm])),
        ...ofProvider,
      });
    }
    if (auth.jwksUrl !== undefined) {
      const { find } = new RemoteKeys(auth.jwksUrl, clock);
      const verify = (token: string) => jwtVerify(token, find, expectations(ASYMMETRIC_ALGORITHMS));
      this.#providers.push({ verify, ...ofProvider });
    }
  }

  /** The claims of a token that was found acceptable lately and still is; undefined: ask `verify`. */
  cached(token: string): TokenClaims | undefined {
    const known = this.#verified.get(token);
    return known && this.#isAlive(known) ? known : undefined;
  }

  /**
   * The claims of an acceptable token; for any other, why it is none.
   * @throws {BusinessError} UNAVAILABLE when the key provider is needed and cannot be reached
   */
  async verify(token: string): Promise<TokenClaims | TokenRefusal> {
    const known = this.#verified.get(token);
    if (known) return this.#isAlive(known) ? known : 'expired';
    const algorithm = algorithmIn(token);
    if (algorithm === undefined) return 'malformed';
    // Which family of keys could have signed it; each source itself then insists on its own algorithms.
    const sources = algorithm === 'HS256' ? this.#secrets : this.#providers;
    let refusal: TokenRefusal = 'algorithm';
    for (const { verify, read, rememberedForMs } of sources) {
      try {
        const claims = read((await verify(token)).payload);
        if (claims === undefined) return 'no sub';
        this.#verified.set(token, claims, { ttl: rememberedForMs });
        return claims;
      } catch (error) {
        if (!isTokensFault(error)) throw new BusinessError('UNAVAILABLE', { cause: error });
        refusal = refusalOf(error);
        if (isWellSigned(error)) return refusal;
      }
    }
    return refusal;
  }

  #isAlive({ exp }: TokenClaims): boolean {
    return exp > Math.floor(this.clock.now().getTime() / 1000);
  }
}

/** What the token says it is signed with; undefined for what is no token. */
function algorithmIn(token: string): unknown {
  try {
    return decodeProtectedHeader(token).alg;
  } catch {
    return undefined;
  }
}

/** Made once: of any other kind of key jose would make one for each token. */
const toHmacKey = (secret: string) =>
  webcrypto.subtle.importKey('raw', Buffer.from(secret, 'utf8'), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);

/** The source's key fits and it is the claims that do not: no other source need be asked. */
const isWellSigned = (error: unknown): boolean =>
  error instanceof errors.JWTExpired || error instanceof errors.JWTClaimValidationFailed;

/** jose's own errors speak of the token, except those of the way to the key provider. */
function isTokensFault(error: unknown): error is errors.JOSEError {
  return (
    error instanceof errors.JOSEError &&
    !(error instanceof errors.JWKSTimeout) &&
    !(error instanceof errors.JWKSInvalid) &&
    error.code !== 'ERR_JOSE_GENERIC'
  );
}
