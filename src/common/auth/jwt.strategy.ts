import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import passport from 'passport';
import { Strategy as PassportJwtStrategy } from 'passport-jwt';
import { bearerOf } from './bearer';
import { Admission, type Principal, type TokenClaims, type TokenRefusal } from './principal';
import { TokenVerifier } from './token-verifier';

type Done = (error: unknown, result?: unknown) => void;

/** The verifier is replaceable at run time but missing from the library's types. */
const Strategy = PassportJwtStrategy as typeof PassportJwtStrategy & { JwtVerifier: unknown };

/**
 * passport-jwt, with signatures checked by jose: the library's own verifier, jsonwebtoken, knows no EdDSA
 * (contract 1.6). What the key provider hands on is the verified claims, so nothing is left to the library's own check.
 */
Strategy.JwtVerifier = (_token: string, claims: TokenClaims, _options: unknown, done: Done) =>
  done(null, claims);

@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy, 'jwt') {
  /** This instance's own name with passport, whose register is global: two applications may live in one process. */
  readonly registeredAs = `jwt-${randomUUID()}`;

  constructor(
    private readonly verifier: TokenVerifier,
    private readonly admission: Admission,
  ) {
    super({
      // A token in a URL is never accepted.
      jwtFromRequest: bearerOf,
      secretOrKeyProvider: (
        _request: unknown,
        token: string,
        done: (error: unknown, key?: never) => void,
      ) => {
        // A refusal is the error here, and arrives at the guard as it is.
        const tell = (found: TokenClaims | TokenRefusal) =>
          typeof found === 'string' ? done(found) : done(null, found as never);
        verifier.verify(token).then(tell, done);
      },
    });
    passport.use(this.registeredAs, this);
  }

  /** The claims of a token whose signature was checked lately, at a fraction of what passport takes to ask again. */
  cached(request: FastifyRequest): TokenClaims | undefined {
    const token = bearerOf(request);
    return token === null ? undefined : this.verifier.cached(token);
  }

  /** Whether the request has an acceptable token, whoever it speaks for; the guard then finds it verified. */
  async isSigned(request: FastifyRequest): Promise<boolean> {
    const token = bearerOf(request);
    return token !== null && typeof (await this.verifier.verify(token)) !== 'string';
  }

  /** The user of a verified token; when it is not let in, why. */
  admit(claims: TokenClaims): Principal | Promise<Principal | TokenRefusal> {
    return this.admission.cached(claims) ?? this.admission.admit(claims);
  }

  /** The same in passport's words. */
  async validate(claims: TokenClaims): Promise<Principal | [false, TokenRefusal]> {
    const admitted = await this.admit(claims);
    return typeof admitted === 'string' ? [false, admitted] : admitted;
  }
}
