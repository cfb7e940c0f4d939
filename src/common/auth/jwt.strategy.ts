import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import passport from 'passport';
import { Strategy as PassportJwtStrategy } from 'passport-jwt';
import { bearerOf } from './bearer';
import { Authenticator, type Principal, type TokenClaims, type TokenRefusal } from './principal';
import { TokenVerifier } from './token-verifier';

type Done = (error: unknown, result?: unknown) => void;

/** `JwtVerifier` can be replaced at run time, but the types of the library do not declare it. */
const Strategy = PassportJwtStrategy as typeof PassportJwtStrategy & { JwtVerifier: unknown };

/**
 * passport-jwt with signatures checked by jose, because the verifier of the library, jsonwebtoken, does not support
 * EdDSA (API 2.1). The key provider below passes the verified claims in place of a key, so this verifier only
 * returns them.
 */
Strategy.JwtVerifier = (_token: string, claims: TokenClaims, _options: unknown, done: Done) =>
  done(null, claims);

@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy, 'jwt') {
  /**
   * Name of this strategy in passport. It is unique because the registry is global and a process may run two
   * applications.
   */
  readonly registeredAs = `jwt-${randomUUID()}`;

  constructor(
    private readonly verifier: TokenVerifier,
    private readonly authenticator: Authenticator,
  ) {
    super({
      // A token in a URL is never accepted.
      jwtFromRequest: bearerOf,
      secretOrKeyProvider: (
        _request: unknown,
        token: string,
        done: (error: unknown, key?: never) => void,
      ) => {
        // passport-jwt passes this error to the guard unchanged, as `info`.
        const finish = (result: TokenClaims | TokenRefusal) =>
          typeof result === 'string' ? done(result) : done(null, result as never);
        verifier.verify(token).then(finish, done);
      },
    });
    passport.use(this.registeredAs, this);
  }

  /**
   * Returns the claims of a token whose signature was checked recently. Much faster than passport, which would verify
   * it again.
   */
  cached(request: FastifyRequest): TokenClaims | undefined {
    const token = bearerOf(request);
    return token === null ? undefined : this.verifier.cached(token);
  }

  /** Whether the request has a valid token. Does not check its user. The guard then finds the claims in the cache. */
  async isSigned(request: FastifyRequest): Promise<boolean> {
    const token = bearerOf(request);
    return token !== null && typeof (await this.verifier.verify(token)) !== 'string';
  }

  /** Returns the user of a verified token, or the reason for which the user is rejected. */
  authenticateClaims(claims: TokenClaims): Principal | Promise<Principal | TokenRefusal> {
    return this.authenticator.cached(claims) ?? this.authenticator.authenticate(claims);
  }

  /** Does the same as `authenticateClaims`, with the return type that passport requires. */
  async validate(claims: TokenClaims): Promise<Principal | [false, TokenRefusal]> {
    const result = await this.authenticateClaims(claims);
    return typeof result === 'string' ? [false, result] : result;
  }
}
