import { createPublicKey, createSecretKey, type KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { createRemoteJWKSet, decodeProtectedHeader, errors, type JWTVerifyOptions, jwtVerify } from 'jose';
import { CONFIG, type Config } from '../../config/config';
import { Clock } from '../clock';
import { BusinessError } from '../errors/business-error';
import type { TokenClaims } from './principal';

const ASYMMETRIC = ['RS256', 'ES256', 'EdDSA'];
const PROVIDER_TIMEOUT_MS = 3_000;
const PROVIDER_COOLDOWN_MS = 10_000;

type KeySource = (token: string) => Promise<TokenClaims>;

/** Verifies access tokens against the keys that are configured (contract 1.6); the token never chooses the kind. */
@Injectable()
export class TokenVerifier {
  readonly #secret?: KeySource;
  readonly #publicKey?: KeySource;
  readonly #jwks?: KeySource;

  constructor(@Inject(CONFIG) { auth }: Config, clock: Clock) {
    const claims = (): JWTVerifyOptions => ({
      issuer: auth.issuer,
      audience: auth.audience,
      requiredClaims: ['exp', 'sub'],
      currentDate: clock.now(),
    });
    if (auth.secret !== undefined) {
      const key = createSecretKey(Buffer.from(auth.secret, 'utf8'));
      this.#secret = async (token) =>
        payloadOf(await jwtVerify(token, key, { ...claims(), algorithms: ['HS256'] }));
    }
    if (auth.publicKey !== undefined) {
      const key = createPublicKey(auth.publicKey);
      const algorithms = [algorithmOf(key)];
      this.#publicKey = async (token) => payloadOf(await jwtVerify(token, key, { ...claims(), algorithms }));
    }
    if (auth.jwksUrl !== undefined) {
      // Keys once learned stay good while the provider is away; only an unknown `kid` asks it again.
      const keys = createRemoteJWKSet(new URL(auth.jwksUrl), {
        cacheMaxAge: Number.POSITIVE_INFINITY,
        cooldownDuration: PROVIDER_COOLDOWN_MS,
        timeoutDuration: PROVIDER_TIMEOUT_MS,
      });
      this.#jwks = async (token) =>
        payloadOf(await jwtVerify(token, keys, { ...claims(), algorithms: ASYMMETRIC }));
    }
  }

  /**
   * The claims of an acceptable token, undefined for any other.
   * @throws {BusinessError} UNAVAILABLE when the key provider is needed and cannot be reached
   */
  async verify(token: string): Promise<TokenClaims | undefined> {
    for (const source of this.#sourcesFor(token)) {
      try {
        return await source(token);
      } catch (error) {
        if (!isTokensFault(error)) throw new BusinessError('UNAVAILABLE', { cause: error });
      }
    }
    return undefined;
  }

  #sourcesFor(token: string): KeySource[] {
    const sources = usesSecret(token) ? [this.#secret] : [this.#publicKey, this.#jwks];
    return sources.filter((source) => source !== undefined);
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

const payloadOf = ({ payload }: { payload: object }): TokenClaims => payload as TokenClaims;

function algorithmOf(key: KeyObject): string {
  const algorithms: Record<string, string> = { rsa: 'RS256', ec: 'ES256', ed25519: 'EdDSA' };
  return algorithms[key.asymmetricKeyType ?? ''] ?? 'RS256';
}

/** jose's own errors speak of the token, except those of the way to the key provider. */
function isTokensFault(error: unknown): boolean {
  return (
    error instanceof errors.JOSEError &&
    !(error instanceof errors.JWKSTimeout) &&
    !(error instanceof errors.JWKSInvalid) &&
    error.code !== 'ERR_JOSE_GENERIC'
  );
}
