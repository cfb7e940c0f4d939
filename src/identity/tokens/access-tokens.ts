import { createSecretKey, type KeyObject, randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { SignJWT } from 'jose';
import type { Role } from '../../common/auth/principal';
import { Clock, plusSeconds } from '../../common/clock';
import { BusinessError } from '../../common/errors/business-error';
import { CONFIG, type Config } from '../../config/config';

/** Signs the access tokens of logins: HS256 with `JWT_SECRET` (API 2.1). */
@Injectable()
export class AccessTokens {
  readonly #auth: Config['auth'];
  readonly #key?: KeyObject;

  constructor(
    @Inject(CONFIG) { auth }: Config,
    private readonly clock: Clock,
  ) {
    this.#auth = auth;
    if (auth.secret !== undefined) this.#key = createSecretKey(Buffer.from(auth.secret, 'utf8'));
  }

  /** Lifetime of a token in seconds. */
  get lifetimeSeconds(): number {
    return this.#auth.accessTokenTtlSeconds;
  }

  /**
   * Returns a signed token for a user and a session.
   * @throws {BusinessError} UNAVAILABLE without `JWT_SECRET`
   */
  async sign(user: { id: number; role: Role }, sid: string): Promise<string> {
    const now = this.clock.now();
    const token = new SignJWT({ role: user.role, sid })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(String(user.id))
      .setJti(randomUUID())
      .setIssuedAt(now)
      .setExpirationTime(plusSeconds(now, this.lifetimeSeconds));
    if (this.#auth.issuer !== undefined) token.setIssuer(this.#auth.issuer);
    if (this.#auth.audience !== undefined) token.setAudience(this.#auth.audience);
    return token.sign(this.#signingKey());
  }

  /**
   * Checks that tokens can be signed, before anything is written. Signing needs `JWT_SECRET`: a service that is
   * configured only with a provider's public keys has no login of its own.
   * @throws {BusinessError} UNAVAILABLE without `JWT_SECRET`
   */
  assertCanSign(): void {
    this.#signingKey();
  }

  #signingKey(): KeyObject {
    if (this.#key) return this.#key;
    throw new BusinessError('UNAVAILABLE', {
      cause: new Error('JWT_SECRET is not set, so tokens cannot be signed'),
    });
  }
}
